import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { Folder } from '../parts/folder.tsx';
import { type ViewName, view, viewNames } from '../state/address.ts';
import { activeFaults, faults } from '../state/faults.ts';
import { useSource } from '../state/source.ts';
import { ClockControls, ClockDisplay } from './clock.tsx';

/** The one row above every view. On a narrow screen the clock's controls are behind a button. */
export function Header(): VNode {
  const isUnfolded = useSignal(false);
  return (
    <header>
      <h1>
        <img src="/_mock/dashboard/icon.svg" alt="" width="26" height="26" />
        <span>livestream-mock</span>
      </h1>
      <nav aria-label="Views">
        {viewNames.map((name) => (
          <ViewLink key={name} name={name} />
        ))}
      </nav>
      <section class="inline clock" aria-label="Clock">
        <ClockDisplay />
        <Folder id="controls" open={isUnfolded}>
          Controls
        </Folder>
        <ClockControls />
      </section>
    </header>
  );
}

function ViewLink({ name }: { readonly name: ViewName }): VNode {
  return (
    <a href={`#${name}`} aria-current={view.value === name ? 'page' : undefined}>
      {name[0]?.toUpperCase() + name.slice(1)}
      {name === 'faults' && <FaultCount />}
    </a>
  );
}

/** How many faults can still match: they act wherever the reader is. */
function FaultCount(): VNode | null {
  useSource(faults);
  const { length } = activeFaults.value;
  if (length === 0) return null;
  return (
    <span class="badge waiting">
      {length}
      <span class="hidden"> active</span>
    </span>
  );
}
