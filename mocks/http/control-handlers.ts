import type * as z from 'zod';
import type { Operation } from '../../interface/operations.ts';
import { noEvidence } from '../journal/evidence.ts';
import { filterExchanges } from '../journal/filter.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { jsonResponse, type PlainResponse, plainResponse } from '../messages/response.ts';
import { validate } from '../messages/validate.ts';
import { whenSaved } from '../service/commit.ts';
import { stateLines, stateType } from '../service/exported-state.ts';
import { startSession, stopSession } from '../service/sessions.ts';
import { archiveExchanges } from '../service/testers/archive-exchanges.ts';
import {
  addFault,
  deleteSnapshot,
  removeFaults,
  restoreSnapshot,
  saveSnapshot,
  setClock,
} from '../service/testers/controls.ts';
import { exportState, importState, resetWorld } from '../service/whole-world.ts';
import { type OpenWorld, type Requester, testerOf } from '../service/world.ts';
import type { IngestReport } from '../state/ingest.ts';
import type { App, Arrival } from './arrival.ts';
import { eventStream } from './control/events.ts';
import {
  type ControlOperationName,
  controlOperations,
  isOpenOperation,
  type OpenOperationName,
} from './control/operations.ts';
import { enter, type Previews } from './enter.ts';
import { readHealth } from './health.ts';
import { listWorlds } from './known-worlds.ts';
import { writeMetrics } from './metrics.ts';
import type { EntryStages } from './plan.ts';
import { readImport } from './read-body.ts';

/** A request to the control API whose key is known and whose body was checked. */
interface Call<Body = unknown> extends Requester {
  readonly worlds: App['worlds'];
  readonly url: URL;
  /** The parameter in the path; empty if there is none. */
  readonly id: string;
  readonly body: Body;
}

type BodyOf<Row> = Row extends { readonly body: z.ZodType<infer Body> } ? Body : undefined;

/**
 * What each operation of the control API does. It returns the JSON of the response, nothing if the response has
 * no body, or a response of another kind. The body has the type of the operation's schema.
 */
const controlHandlers: {
  readonly [Name in Exclude<ControlOperationName, OpenOperationName>]: (
    call: Call<BodyOf<(typeof controlOperations)[Name]>>,
  ) => unknown;
} = {
  listWorlds: ({ world, worlds }) => listWorlds(world.settings, worlds),
  startSession: (call) => startSession(call, call.id, call.body),
  stopSession: (call) => stopSession(call, call.id),
  readClock: ({ world }) => readClock(world),
  setClock({ world, body }) {
    setClock(world, body);
    return readClock(world);
  },
  listMoments: ({ world }) => world.moments,
  resetWorld: ({ world }) => resetWorld(world),
  endWorld: ({ world, worlds }) => worlds.end(world),
  exportState({ world, url: { searchParams } }) {
    const withJournal = searchParams.get('journal') === '1';
    if (searchParams.size > Number(withJournal)) {
      const got = describeValue(String(searchParams));
      throw new Problem('invalid', { path: 'query', expected: 'journal=1 or nothing', got });
    }
    const state = exportState(world, withJournal);
    return plainResponse(200, [...stateLines(state)], { 'content-type': stateType });
  },
  importState: ({ world, body }) => importState(world, body),
  listSnapshots: ({ world }) => [...world.snapshots.keys()],
  saveSnapshot: ({ world, id }) => saveSnapshot(world, id),
  restoreSnapshot: ({ world, id }) => restoreSnapshot(world, id),
  deleteSnapshot: ({ world, id }) => deleteSnapshot(world, id),
  listRequests: ({ world, url }) => filterExchanges(world.journal.exchanges(), url.searchParams),
  exportHar: ({ world, url }) =>
    archiveExchanges(world, filterExchanges(world.journal.exchanges(), url.searchParams)),
  listFaults: ({ world }) => world.faults.list(),
  addFault: ({ world, body }) => addFault(world, body),
  removeFault: ({ world, id }) => removeFaults(world, id)[0],
  removeFaults: ({ world }) => removeFaults(world),
  readEvidence: ({ world: { settings } }) => settings.readEvidence?.() ?? noEvidence,
  readIngest({ world }): IngestReport {
    return { ...world.settings.ingest, incoming: [...world.incoming.values()] };
  },
  watchWorld: ({ world }) =>
    plainResponse(200, eventStream(world), {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    }),
};

/** What each operation does that needs no API key, and belongs to no world. */
const openHandlers: {
  readonly [Name in OpenOperationName]: (app: App) => Promise<PlainResponse>;
} = {
  readHealth: healthResponse,
  async readMetrics(app) {
    const text = writeMetrics(await readHealth(app), app.requestCounts);
    return plainResponse(200, [text], { 'content-type': metricsType });
  },
};

/** The text format of Prometheus. */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** The control API refuses a missing key before it reads a body. */
const stages: EntryStages = { beforeWorld: [], afterWorld: ['body'] };
/** An imported state can be large, and is read in its own way. */
const stagesOfImport: EntryStages = { beforeWorld: [], afterWorld: [] };
const noPreviews: Previews = { id: '', read() {}, find() {} };

/**
 * Carries out an operation of the control API.
 * @throws Problem if it is refused
 */
export async function controlResponse(
  arrival: Arrival,
  name: ControlOperationName,
  id: string,
): Promise<PlainResponse> {
  const { app, request, url, plans } = arrival;
  if (isOpenOperation(name)) return openHandlers[name](app);
  const isImport = name === 'importState';
  const entryStages = isImport ? stagesOfImport : stages;
  const { world, json } = await enter(arrival, plans.unknownRoute, noPreviews, entryStages);
  const { method, status, isState, body: schema }: Operation = controlOperations[name];
  const body = isImport
    ? await readImport(request, app.maxImport)
    : schema && validate(schema, json);
  const requester = testerOf(world, app.mediaOrigin ?? url.origin);
  const handler = controlHandlers[name] as (call: Call) => unknown;
  const handle = () => handler({ ...requester, worlds: app.worlds, url, id, body });
  const value = await (method === 'GET' ? handle() : whenSaved(world, handle));
  if (value === undefined) return plainResponse(204, null);
  return isState || name === 'watchWorld' ? (value as PlainResponse) : jsonResponse(status, value);
}

async function healthResponse(app: App): Promise<PlainResponse> {
  const health = await readHealth(app);
  const headers = { 'cache-control': 'no-store' };
  if (health.status === 'ok') return jsonResponse(200, health, headers);
  return jsonResponse(503, health, { ...headers, 'retry-after': '1' });
}

function readClock({ clock }: OpenWorld): { now: number; speed: number } {
  return { now: clock.now(), speed: clock.speed() };
}
