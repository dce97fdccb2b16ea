import type { TargetCall } from '../../conformance/target/target.ts';
import { makeWrong, routeOf } from '../../fidelity/calls.ts';
import { type Asked, isBodyOperation, type Mutation } from '../../interface/errors.ts';
import { recommendedProfiles } from '../../interface/ladder.ts';
import type { Client } from './dialect.test-support.ts';

/** What requests are about in one world: a stream that is idle, one that is live, sessions, a deleted stream. */
export interface Subjects {
  readonly idle: string;
  readonly playbackId: string;
  readonly session: string;
  readonly deleted: string;
  readonly others: string;
}

/** A body of each operation that has one. */
const goodBodies = {
  createStream: { name: 'Harbour camera' },
  updateStream: { name: 'Garden camera' },
  setRecord: { record: true },
} as const;

export const ownKey = 'the-right-key';
export const otherKey = 'another-accepted-key';

/** Makes what the wrong requests for an operation are about; each gets streams of its own. */
export async function makeSubjects({ world, mock, send }: Client): Promise<Subjects> {
  const { id, playbackId } = await world.createStream({ name: 'Harbour camera', record: false });
  const recorded = await world.createStream({ name: 'Quay', record: true });
  const { id: session } = await world.start(recorded.id, { duration: 5 });
  world.clock.advance('1m');
  const { id: deleted } = await world.createStream({ name: 'gone' });
  await send(`DELETE /api/stream/${deleted}`);
  const { id: others } = await (await mock.world(otherKey)).createStream({ name: 'theirs' });
  return { idle: id, playbackId, session, deleted, others };
}

/** A request made wrong, and the id that it is about. */
export interface WrongRequest {
  readonly request: Request;
  readonly id: string;
}

/** The request for an operation that is good but for some mutations. */
export async function wrongRequest(
  asked: Asked,
  wrong: readonly Mutation[],
  client: Client,
  subjects: Subjects,
): Promise<WrongRequest> {
  let id = asked === 'retrieveSession' ? subjects.session : subjects.idle;
  if (asked === 'retrievePlayback') id = subjects.playbackId;
  let call: TargetCall = { ...routeOf(asked), body: bodyFor(asked, wrong) };
  for (const mutation of wrong) {
    if ('idOf' in mutation || 'state' in mutation) {
      id = (await otherId(mutation, client, subjects)) ?? id;
    } else call = makeWrong(call, mutation, ownKey);
  }
  return { request: toRequest(call, id), id };
}

function bodyFor(asked: Asked, wrong: readonly Mutation[]): object | undefined {
  if (!isBodyOperation(asked)) return undefined;
  const changesProfiles = asked === 'updateStream' && wrong.some((one) => 'state' in one);
  return changesProfiles ? { profiles: [recommendedProfiles[1]] } : goodBodies[asked];
}

/** The id of another object, where a mutation asks for one. */
async function otherId(
  wrong: Mutation,
  { world }: Client,
  { idle, session, deleted, others }: Subjects,
): Promise<string | undefined> {
  if ('idOf' in wrong) {
    const unknown = '00000000-0000-4000-8000-000000000000';
    return { unknown, deleted, session, stream: idle, 'other-key': others }[wrong.idOf];
  }
  if (!('state' in wrong) || wrong.state !== 'live') return undefined;
  const { id } = await world.createStream({ name: 'Live', record: 'same' in wrong });
  await world.start(id);
  return id;
}

const keys: Readonly<Record<string, string | undefined>> = {
  right: ownKey,
  wrong: 'wrong',
  short: ownKey.slice(0, -1),
  long: `${ownKey}x`,
  none: undefined,
};

function toRequest(
  { method, path, body, credential = 'right', untyped, headers }: TargetCall,
  id: string,
): Request {
  const key = keys[credential];
  const isJson = typeof body === 'object' && !(body instanceof Uint8Array);
  const bytes = isJson ? JSON.stringify(body) : body;
  const sent = method === 'GET' || method === 'HEAD' ? undefined : bytes;
  const isTyped = sent !== undefined && !untyped;
  return new Request(`http://livestream.test/api${path.replaceAll('{id}', () => id)}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(isTyped && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: sent === undefined ? null : new Blob([sent as string]).stream(),
    ...(sent !== undefined && { duplex: 'half' }),
  } as RequestInit);
}
