import { deflateSync, gzipSync } from 'node:zlib';
import { type Asked, isBodyOperation, type Mutation } from '../../interface/errors.ts';
import type { bodyOperations } from '../../interface/fields.ts';
import { recommendedProfiles } from '../../interface/ladder.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import type { Client } from './dialect.test-support.ts';

/** What requests are about in one world: a stream that is idle, one that is live, sessions, a deleted stream. */
export interface Subjects {
  readonly idle: string;
  readonly playbackId: string;
  readonly session: string;
  readonly deleted: string;
  readonly others: string;
}

const profile = recommendedProfiles[1];

/** A body of each operation that has one. */
const goodBodies: Readonly<Record<(typeof bodyOperations)[number], Record<string, unknown>>> = {
  createStream: { name: 'Harbour camera' },
  updateStream: { name: 'Garden camera' },
  setRecord: { record: true },
};

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

/** A request made wrong in one way, and the id that it is about. */
export interface WrongRequest {
  readonly request: Request;
  readonly id: string;
}

/** Sets a field of a body such as `profiles[].width`, or removes it where there is no value. */
function setField(body: Record<string, unknown>, path: string, wrong: Mutation): void {
  const value = 'value' in wrong ? wrong.value : undefined;
  if (!path.startsWith('profiles[]')) {
    if (value === undefined) delete body[path];
    else body[path] = value;
    return;
  }
  const key = path.slice('profiles[].'.length);
  const own: Record<string, unknown> = { ...profile };
  if (key === '') body['profiles'] = [value];
  else {
    if (value === undefined) delete own[key];
    else own[key] = value;
    body['profiles'] = [own];
  }
}

/** The request for an operation that is good but for one mutation. */
export async function wrongRequest(
  asked: Asked,
  wrong: Mutation,
  client: Client,
  subjects: Subjects,
): Promise<WrongRequest> {
  const operation = asked === 'unknownRoute' ? undefined : interfaceOperations[asked];
  const id = await idFor(asked, wrong, client, subjects);
  let path = `/api${operation?.path.replace(/\{\w+\}/, id) ?? '/nowhere'}`;
  if ('path' in wrong) path = respell(path, wrong.path);
  const query = 'query' in wrong ? `?${wrong.query.replace('{id}', id)}` : '';
  const headers: Record<string, string> = {};
  const authorization = authorizationOf(wrong);
  if (authorization !== undefined) headers['authorization'] = authorization;
  const body = bodyOf(asked, wrong);
  const type = 'type' in wrong ? wrong.type : 'application/json';
  if (body !== undefined && type !== null) headers['content-type'] = type;
  if ('encoding' in wrong) headers['content-encoding'] = wrong.encoding;
  const method = 'method' in wrong ? wrong.method : (operation?.method ?? 'GET');
  const request = new Request(`http://livestream.test${path}${query}`, {
    method,
    headers,
    body: body === undefined ? null : new Blob([body]).stream(),
    ...(body !== undefined && { duplex: 'half' }),
  } as RequestInit);
  return { request, id };
}

async function idFor(
  asked: Asked,
  wrong: Mutation,
  { world }: Client,
  { idle, playbackId, session, deleted, others }: Subjects,
): Promise<string> {
  if ('id' in wrong) return wrong.id;
  if ('idOf' in wrong) {
    const unknown = '00000000-0000-4000-8000-000000000000';
    return { unknown, deleted, session, stream: idle, 'other-key': others }[wrong.idOf];
  }
  if ('state' in wrong && wrong.state === 'live') {
    const { id } = await world.createStream({ name: 'Live', record: 'same' in wrong });
    await world.start(id);
    return id;
  }
  if (asked === 'retrievePlayback') return playbackId;
  return asked === 'retrieveSession' ? session : idle;
}

function respell(path: string, how: string): string {
  if (how === 'trailing-slash') return `${path}/`;
  if (how === 'doubled-slash') return path.replace(/(?<=.)\//, '//');
  if (how === 'encoded-letter')
    return path.replace(/(?<=\/api\/)./, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return how === 'upper-case'
    ? path.replace(/(?<=\/api\/)\w+/, (word) => word.toUpperCase())
    : path;
}

function authorizationOf(wrong: Mutation): string | undefined {
  if (!('key' in wrong)) return `Bearer ${ownKey}`;
  const headers: Record<string, string | undefined> = {
    none: undefined,
    empty: 'Bearer',
    basic: `Basic ${ownKey}`,
    token: `Token ${ownKey}`,
    bare: ownKey,
    'lower-case': `bearer ${ownKey}`,
    wrong: 'Bearer wrong',
    other: 'Bearer other',
    cut: `Bearer ${ownKey.slice(0, -1)}`,
    extended: `Bearer ${ownKey}x`,
  };
  return headers[wrong.key];
}

function bodyOf(asked: Asked, wrong: Mutation): Uint8Array<ArrayBuffer> | undefined {
  if (!isBodyOperation(asked) || 'none' in wrong) return undefined;
  const good = structuredClone(goodBodies[asked]);
  if ('state' in wrong) good['profiles'] = asked === 'updateStream' ? [profile] : undefined;
  if ('field' in wrong) setField(good, wrong.field, wrong);
  const text = 'text' in wrong ? wrong.text : JSON.stringify(good);
  const withUnknown = (json: string) => text.replace(/\}$/, `,"livestreamMockUnknown":${json}}`);
  if ('depth' in wrong) {
    const deep = withUnknown('['.repeat(wrong.depth - 1) + ']'.repeat(wrong.depth - 1));
    return new TextEncoder().encode(deep);
  }
  if ('bytes' in wrong) {
    const odd = withUnknown(`"${wrong.bytes}"`);
    return Uint8Array.from(Buffer.from(odd, 'latin1'));
  }
  const cut = 'cut' in wrong ? text.slice(0, -wrong.cut) : text;
  const bytes = new TextEncoder().encode('size' in wrong ? cut.padEnd(wrong.size) : cut);
  if (!('encoding' in wrong)) return bytes;
  return Uint8Array.from(wrong.encoding === 'gzip' ? gzipSync(bytes) : deflateSync(bytes));
}
