import { type FunctionComponent, render, type VNode } from 'preact';
import { ClockButton, ClockControls, ClockDisplay } from './clock.tsx';
import { Card, Time } from './controls.tsx';
import { activeFaults, FaultsView } from './faults.tsx';
import { closeNotice, notice } from './page-state/api.ts';
import { connection, followWorld, outage } from './page-state/connection.ts';
import {
  dialect,
  followAddress,
  type ViewName,
  variants,
  view,
  viewNames,
} from './page-state/page.ts';
import { RequestsView } from './requests.tsx';
import { StreamsView } from './streams.tsx';
import { WorldView } from './world.tsx';
import { KeyForm, WorldSwitch } from './world-switch.tsx';

const views: Readonly<Record<ViewName, FunctionComponent>> = {
  streams: StreamsView,
  requests: RequestsView,
  faults: FaultsView,
  world: WorldView,
};

/** The whole page. */
function Dashboard(): VNode {
  const isReconnecting = connection.value === 'reconnecting';
  const View = connection.value === 'not connected' ? Entrance : views[view.value];
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="top">
        <Header />
        <OutageBanner />
      </div>
      <main id="main" tabIndex={-1} class={isReconnecting ? 'stale' : ''}>
        <Differences />
        <fieldset disabled={isReconnecting}>
          <View />
        </fieldset>
      </main>
      <NoticeBox />
    </>
  );
}

/** What the page is while the service accepts no key from it. */
function Entrance(): VNode {
  return (
    <Card id="key" title="Connect">
      <KeyForm />
    </Card>
  );
}

/** The header of every view. Without a world, there is nothing to view, and no clock. */
function Header(): VNode {
  const hasWorld = connection.value !== 'not connected';
  return (
    <header class="inline">
      <div class="inline brand">
        <img src="/_mock/dashboard/icon.svg" alt="" width="26" height="26" />
        <div>
          <h1>livestream-mock</h1>
          {hasWorld && <WorldSwitch />}
        </div>
      </div>
      {hasWorld && <Views />}
      {hasWorld && <Clock />}
    </header>
  );
}

/** The links to the views. */
function Views(): VNode {
  // Faults are active whichever view is shown.
  const active = activeFaults.value.length;
  return (
    <nav aria-label="Views">
      {viewNames.map((name) => (
        <a key={name} href={`#${name}`} aria-current={view.value === name ? 'page' : undefined}>
          {name[0]?.toUpperCase() + name.slice(1)}
          {name === 'faults' && active > 0 && (
            <span class="badge waiting">
              {active}
              <span class="hidden"> active</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}

/** The time of the world, and how to advance it. */
function Clock(): VNode {
  const isReconnecting = connection.value === 'reconnecting';
  return (
    <section class={`clock ${isReconnecting ? 'stale' : ''}`} aria-label="Time">
      <ClockButton menu="clock-menu" />
      {/* On a wide screen, the menu is always there, and has no button. */}
      <div id="clock-menu" class="inline menu" popover="auto">
        <ClockDisplay />
        <ClockControls />
      </div>
    </section>
  );
}

/** Says that the page is not connected, at which address and since when. */
function OutageBanner(): VNode {
  return (
    <p id="outage" role="alert">
      {outage.value !== undefined && (
        <>
          <b>Disconnected</b> from <code>{location.origin}</code> since{' '}
          <Time at={outage.value.since} /> by your clock. {outage.value.reason} What you see is how
          the world was then; the page connects again as soon as it can.
        </>
      )}
    </p>
  );
}

/** What makes this mock differ from the interface, or from the mock as it is without options. */
function Differences(): VNode | null {
  if (variants.length === 0 && dialect === '') return null;
  return (
    <p class="inline differences">
      {variants.length > 0 && (
        <a id="variant" href="#world" class="badge waiting">
          Variant: {variants.map((variant) => variant.split(':')[0]).join(', ')}
        </a>
      )}
      {dialect !== '' && (
        <a id="dialect" href="#world" class="badge waiting">
          Dialect: {dialect}
        </a>
      )}
    </p>
  );
}

/** What was done, or what went wrong, over the lower edge of the page. It takes no room while there is nothing to say. */
function NoticeBox(): VNode {
  const { text = '', isError = false } = notice.value ?? {};
  return (
    <div class={text === '' ? '' : 'inline notice'}>
      {/* Both are there before they have any text, or screen readers would not announce it. */}
      <p id="note" role="status">
        {isError ? '' : text}
      </p>
      <p id="trouble" class="error" role="alert">
        {isError ? text : ''}
      </p>
      {text !== '' && (
        <button type="button" class="plain" aria-label="Close this message" onClick={closeNotice}>
          ✕
        </button>
      )}
    </div>
  );
}

followAddress();
render(<Dashboard />, document.body);
followWorld();
