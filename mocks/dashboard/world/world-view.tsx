import type { VNode } from 'preact';
import { KeyForm } from '../frame/key-form.tsx';
import { Card } from '../parts/card.tsx';
import { brokenRules, dialect } from '../state/page.ts';
import { ClockCard } from './clock-card.tsx';
import { Report } from './report.tsx';
import { Snapshots } from './snapshots.tsx';

/** What concerns the world as a whole. */
export function WorldView(): VNode {
  return (
    <div class="halves">
      <div class="stack">
        <Snapshots />
        <Report />
      </div>
      <div class="stack">
        <ClockCard />
        <KeyForm />
        {dialect !== '' && <DialectCard />}
      </div>
    </div>
  );
}

function DialectCard(): VNode {
  return (
    <Card id="dialect" title={`Dialect: ${dialect}`}>
      {brokenRules.length === 0 ? (
        <p class="hint">It breaks no rule that the interface states.</p>
      ) : (
        <>
          <p>It breaks rules that the interface states:</p>
          <ul class="plain">
            {brokenRules.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </>
      )}
      <p class="hint">It applies to the requests of your app, and not to those of this page.</p>
    </Card>
  );
}
