import type * as z from 'zod';
import type { Behaviours } from '../../interface/silent.ts';
import { filterExchanges } from '../journal/filter.ts';
import {
  jsonResponse,
  jsonTextResponse,
  type PlainResponse,
  plainResponse,
  streamedJsonResponse,
} from '../messages/response.ts';
import { addFault, removeFault, removeFaults, start, stop } from '../service/commands.ts';
import { exportState, importState, validateState } from '../service/export-import.ts';
import { deleteSnapshot, restoreSnapshot, saveSnapshot } from '../service/named-snapshots.ts';
import {
  findParent,
  findSession,
  findStream,
  listSessions,
  listStreams,
} from '../service/queries.ts';
import { resetWorld } from '../service/replace.ts';
import { createStream, deleteStream, setRecord } from '../service/streams.ts';
import { advanceClock, type WorldState } from '../service/world.ts';
import { stateText } from './bodies/state-text.ts';
import { eventStream } from './events.ts';
import { pageResponse, readPaging, readRecordFilter } from './lists.ts';
import { sessionText, streamText } from './record-text.ts';
import type { operations } from './routes.ts';

/** A request whose API key is known and whose body fits its operation's schema. */
export interface Call<Body = unknown> {
  readonly world: WorldState;
  /** What the caller meets where the interface is silent: testers meet the usual behaviours. */
  readonly behaviours: Behaviours;
  /** Scheme, host and port of the request; media addresses begin with it. */
  readonly origin: string;
  readonly url: URL;
  /** The parameter in the path; empty where there is none. */
  readonly id: string;
  readonly body: Body;
}

type BodyOf<Row> = Row extends { readonly body: z.ZodType<infer Body> } ? Body : undefined;

type Handlers<Rows> = {
  readonly [Name in keyof Rows]: (
    call: Call<BodyOf<Rows[Name]>>,
  ) => PlainResponse | Promise<PlainResponse>;
};

const noContent = plainResponse(204, null);

/** What each operation does; its body has the type of its row's schema. */
export const handlers: Handlers<typeof operations> = {
  createStream({ world, body }) {
    return jsonTextResponse(201, [streamText(world, createStream(world, body))]);
  },
  listStreams({ world, url }) {
    const page = listStreams(world, readPaging(url));
    return pageResponse(url, page, (stream) => streamText(world, stream));
  },
  retrieveStream({ world, id, origin }) {
    const found = findStream(world, id);
    return jsonTextResponse(200, [
      'parentId' in found ? sessionText(world, found, origin) : streamText(world, found),
    ]);
  },
  deleteStream({ world, id }) {
    deleteStream(world, id);
    return noContent;
  },
  setRecord({ world, id, body }) {
    setRecord(world, id, body.record);
    return noContent;
  },
  listSessionsOfStream(call) {
    return sessionsResponse(call, () => findParent(call.world, call.id).id);
  },
  listSessions(call) {
    return sessionsResponse(call, () => call.url.searchParams.get('parentId') ?? undefined);
  },
  retrieveSession({ world, id, origin }) {
    return jsonTextResponse(200, [sessionText(world, findSession(world, id), origin)]);
  },

  startSession({ world, id, body, origin }) {
    return jsonResponse(201, start(world, origin, id, body));
  },
  stopSession({ world, id, origin }) {
    return jsonResponse(200, stop(world, origin, id));
  },
  readClock({ world }) {
    return jsonResponse(200, { now: world.clock.now() });
  },
  advanceClock({ world, body }) {
    return jsonResponse(200, { now: advanceClock(world, body.advance) });
  },
  async resetWorld({ world }) {
    await resetWorld(world);
    return noContent;
  },
  exportState({ world, url }) {
    const state = exportState(world, url.searchParams.get('journal') === '1');
    return streamedJsonResponse(200, stateText(state));
  },
  async importState({ world, body }) {
    await importState(world, await validateState(body));
    return noContent;
  },
  listSnapshots({ world }) {
    return jsonResponse(200, [...world.snapshots.keys()]);
  },
  saveSnapshot({ world, id }) {
    saveSnapshot(world, id);
    return noContent;
  },
  async restoreSnapshot({ world, id }) {
    await restoreSnapshot(world, id);
    return noContent;
  },
  deleteSnapshot({ world, id }) {
    deleteSnapshot(world, id);
    return noContent;
  },
  listRequests({ world, url }) {
    return jsonResponse(200, filterExchanges(world.journal.exchanges(), url.searchParams));
  },
  async exportHar({ world, url }) {
    const { toHttpArchive } = await import('../journal/har.ts');
    const exchanges = filterExchanges(world.journal.exchanges(), url.searchParams);
    return jsonResponse(200, toHttpArchive(exchanges));
  },
  listFaults({ world }) {
    return jsonResponse(200, world.faults.list());
  },
  addFault({ world, body }) {
    return jsonResponse(201, addFault(world, body));
  },
  removeFault({ world, id }) {
    return jsonResponse(200, removeFault(world, id));
  },
  removeFaults({ world }) {
    return jsonResponse(200, removeFaults(world));
  },
  watchWorld({ world }) {
    return plainResponse(200, eventStream(world), {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
  },
};

/** An error in the query is reported before an unknown parent, so the query is read first. */
function sessionsResponse(
  { world, url, origin }: Call,
  findParentId: () => string | undefined,
): PlainResponse {
  const record = readRecordFilter(url);
  const paging = readPaging(url);
  const page = listSessions(world, { parentId: findParentId(), record }, paging);
  return pageResponse(url, page, (session) => sessionText(world, session, origin));
}
