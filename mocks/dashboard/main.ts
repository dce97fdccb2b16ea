import { type Api, createApi } from './api.ts';
import { createClockPanel } from './clock.ts';
import { keepListening, showStatus } from './connection.ts';
import { prepareControls } from './controls.ts';
import type { EventName } from './events.ts';
import { createFaultsPanel } from './faults.ts';
import { createJournalPanel } from './journal.ts';
import { prepareKeyForm } from './key.ts';
import { clearNotices, complain } from './notices.ts';
import { chosenKey } from './page.ts';
import type { Panel } from './panel.ts';
import { createRefresher } from './refresher.ts';
import { createSnapshotsPanel } from './snapshots.ts';
import { createStreamPanel } from './stream.ts';
import { createStreamsPanel } from './streams.ts';
import { address, addressed, followAddress, shownView, type ViewName } from './views.ts';
import { prepareWorldActions } from './world-actions.ts';

let api: Api = createApi(chosenKey());
const context = {
  get api() {
    return api;
  },
};

const clock = createClockPanel(context);
const stream = createStreamPanel(context, {
  chosen: (id) => {
    streams.mark(id);
    if (shownView() === 'streams') address('streams', id ?? '');
  },
  changed: () => showStreams(),
});
const streams = createStreamsPanel(context, async (id) => {
  await stream.choose(id);
  stream.focus();
});

/** The list first: it may tell that the stream beside it has gone. Then the newest is shown. */
const showStreams = createRefresher(async () => {
  await streams.refresh();
  const chosen = stream.chosen();
  if (chosen !== undefined && !streams.lacks(chosen)) return stream.refresh();
  await stream.choose(streams.first());
});

const panels: Readonly<Record<ViewName, readonly Panel[]>> = {
  streams: [{ refresh: showStreams, clear: clearStreams }],
  requests: [createJournalPanel(context)],
  faults: [createFaultsPanel(context)],
  snapshots: [createSnapshotsPanel(context, refresh)],
};

/** Which views each event may change; a reset, which is told as `state`, changes all. */
const changedViews: Readonly<Record<EventName, readonly ViewName[]>> = {
  state: ['streams', 'requests', 'faults', 'snapshots'],
  clock: ['streams'],
  exchange: ['requests', 'faults'],
  faults: ['faults'],
};

/** Brings the view that is shown up to date; the others wait until they are shown. */
async function refresh(): Promise<void> {
  if (api.apiKey === '') return;
  await Promise.all(panels[shownView()].map((panel) => panel.refresh()));
}

function clearStreams(): void {
  stream.clear();
  streams.clear();
}

async function open(apiKey: string, streamId?: string): Promise<void> {
  api.close();
  api = createApi(apiKey);
  clearNotices();
  clock.clear();
  showStatus(apiKey === '' ? 'not connected' : 'connecting');
  for (const panel of Object.values(panels).flat()) panel.clear();
  if (apiKey === '') return complain('Give the API key of a world to see it.');
  keepListening(api, {
    connected: () => {
      clock.observe().catch(complain);
      refresh();
    },
    happened: (names, now) => {
      clock.show(now);
      if ([...names].some((name) => changedViews[name].includes(shownView()))) refresh();
    },
  });
  if (streamId) await stream.choose(streamId);
}

prepareWorldActions(context, refresh);
prepareControls(chosenKey() === '');
const begun = addressed();
followAddress(refresh);
prepareKeyForm((apiKey) => open(apiKey));
open(chosenKey(), begun);
