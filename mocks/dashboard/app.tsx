import type { FunctionComponent, VNode } from 'preact';
import { FaultsView } from './faults/faults-view.tsx';
import { Header } from './frame/header.tsx';
import { KeyForm } from './frame/key-form.tsx';
import { StatusBar } from './frame/status-bar.tsx';
import { Confirm } from './parts/confirm.tsx';
import { RequestsView } from './requests/requests-view.tsx';
import { type ViewName, view } from './state/address.ts';
import { connection } from './state/connection.ts';
import { StreamsView } from './streams/streams-view.tsx';
import { WorldView } from './world/world-view.tsx';

const views: Readonly<Record<ViewName, FunctionComponent>> = {
  streams: StreamsView,
  requests: RequestsView,
  faults: FaultsView,
  world: WorldView,
};

/** The whole page. */
export function App(): VNode {
  const View = connection.value === 'not connected' ? KeyForm : views[view.value];
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <View />
      </main>
      <p id="roving-hint" hidden>
        Arrow keys, Home and End move through the list.
      </p>
      <StatusBar />
      <Confirm />
    </>
  );
}
