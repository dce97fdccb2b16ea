import type { NewStream } from '../../fixtures/types.ts';
import type { Page, PageRequest } from '../ordered.ts';
import { describeValue, Problem } from '../problem.ts';
import {
  createStream,
  deleteStream,
  findParent,
  findSession,
  findStream,
  listSessions,
  listStreams,
  setRecord,
  startSession,
  stopSession,
} from '../service.ts';
import { restoreSnapshot, type Snapshot, takeSnapshot } from '../snapshot.ts';
import { viewSession, viewStream } from '../views.ts';
import { resetWorld, type WorldState } from '../world.ts';
import { type Answer, answer, answerJson } from './answer.ts';
import { type OperationName, pageLimit } from './operations.ts';

/** A request that has passed the gates: its key is known and its body fits the schema. */
export interface Call {
  readonly world: WorldState;
  /** Scheme, host and port that the client used; media addresses begin with it. */
  readonly origin: string;
  /** Path and query, for links to further pages. */
  readonly url: URL;
  /** The path's parameter, where it has one. */
  readonly id: string;
  readonly body: unknown;
}

/** What each operation does. */
export const handlers: Readonly<Record<OperationName, (call: Call) => Answer | Promise<Answer>>> = {
  async createStream({ world, body }) {
    const stream = await createStream(world, body as NewStream);
    return answerJson(201, viewStream(world, stream));
  },
  listStreams(call) {
    const page = listStreams(call.world, readPaging(call.url));
    return answerPage(call.url, page, (stream) => viewStream(call.world, stream));
  },
  retrieveStream({ world, id, origin }) {
    const found = findStream(world, id);
    return answerJson(
      200,
      'parentId' in found ? viewSession(world, found, origin) : viewStream(world, found),
    );
  },
  async deleteStream({ world, id }) {
    await deleteStream(world, id);
    return answer(204, null);
  },
  async setRecord({ world, id, body }) {
    await setRecord(world, id, (body as { record: boolean }).record);
    return answer(204, null);
  },
  listSessionsOfStream(call) {
    return answerSessions(call, () => findParent(call.world, call.id).id);
  },
  listSessions(call) {
    return answerSessions(call, () => call.url.searchParams.get('parentId') ?? undefined);
  },
  retrieveSession({ world, id, origin }) {
    return answerJson(200, viewSession(world, findSession(world, id), origin));
  },
  async startSession({ world, id, body, origin }) {
    const duration = (body as { duration?: number } | undefined)?.duration;
    return answerJson(201, viewSession(world, await startSession(world, id, duration), origin));
  },
  async stopSession({ world, id, origin }) {
    return answerJson(200, viewSession(world, await stopSession(world, id), origin));
  },
  readClock({ world }) {
    return answerJson(200, { now: world.clock.now() });
  },
  async advanceClock({ world, body }) {
    const { advance } = body as { advance: number | string };
    try {
      const now = world.clock.advance(advance);
      await world.saved;
      return answerJson(200, { now });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new Problem(422, `advance: ${error.message}`);
    }
  },
  async resetWorld({ world }) {
    await resetWorld(world);
    return answer(204, null);
  },
  exportState({ world }) {
    return answerJson(200, takeSnapshot(world));
  },
  async importState({ world, body }) {
    await restoreSnapshot(world, body as Snapshot);
    return answer(204, null);
  },
};

/** In the field's order: the query is read before its stream is looked for. */
function answerSessions(
  { world, url, origin }: Call,
  findParentId: () => string | undefined,
): Answer {
  const record = recordValues.get(url.searchParams.get('record') ?? '');
  const paging = readPaging(url);
  const page = listSessions(world, { parentId: findParentId(), record }, paging);
  return answerPage(url, page, (session) => viewSession(world, session, origin));
}

const recordValues: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

function readPaging({ searchParams }: URL): PageRequest {
  const given = searchParams.get('limit');
  const cursor = searchParams.get('cursor');
  const limit = Number(given ?? pageLimit.default);
  const { minimum, maximum } = pageLimit;
  if (!/^\d*$/.test(given ?? '') || limit < minimum || limit > maximum) {
    throw new Problem(
      422,
      `query limit: expected a whole number from ${minimum} to ${maximum}, got ${describeValue(given)}`,
    );
  }
  return { limit, ...(cursor !== null && { cursor }) };
}

function answerPage<Record>(
  url: URL,
  { records, next }: Page<Record>,
  view: (record: Record) => unknown,
): Answer {
  if (next === undefined) return answerJson(200, records.map(view));
  const nextUrl = new URL(url);
  nextUrl.searchParams.set('cursor', next);
  return answerJson(200, records.map(view), { link: `<${nextUrl.href}>; rel="next"` });
}
