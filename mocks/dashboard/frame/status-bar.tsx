import type { VNode } from 'preact';
import { type Connection, connection } from '../state/connection.ts';
import { clearNotice, notice } from '../state/notice.ts';
import { brokenRules, dialect } from '../state/page.ts';
import { count } from '../state/words.ts';

/** The colour of each connection. */
const kinds: Readonly<Record<Connection, string>> = {
  connecting: '',
  connected: 'ready',
  reconnecting: 'waiting',
  'not connected': 'failed',
};

/** The line below every view: what was done, what went wrong, and what is set for the whole mock. */
export function StatusBar(): VNode {
  const { text = '', isTrouble = false } = notice.value ?? {};
  return (
    <footer>
      <p id="connection" class={`badge ${kinds[connection.value]}`}>
        {connection}
      </p>
      {/* Both are there before something is said in them, or screen readers would not hear it. */}
      <p id="note" role="status">
        {isTrouble ? '' : text}
      </p>
      <p id="trouble" role="alert">
        {isTrouble ? text : ''}
      </p>
      {isTrouble && (
        <button type="button" class="small" onClick={dismiss}>
          Dismiss
        </button>
      )}
      {dialect !== '' && (
        <a id="dialect" href="#world" class="end badge waiting">
          Dialect: {dialect}
          {brokenRules.length > 0 && `, breaks ${count(brokenRules.length, 'rule')}`}
        </a>
      )}
    </footer>
  );
}

function dismiss(): void {
  clearNotice();
  document.getElementById('main')?.focus();
}
