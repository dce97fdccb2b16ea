import { deflateSync, gzipSync } from 'node:zlib';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { unknownId, unknownPath } from '../../../conformance/target/gate.ts';
import {
  type CreatedStream,
  setRecord,
  streamPath,
} from '../../../conformance/target/operations.ts';
import { type Call, pathSegment } from '../../../conformance/target/target.ts';
import type { Asked, Mutation } from '../../../interface/errors.ts';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import { interfaceOperations } from '../../../interface/operations.ts';
import { textOf } from '../../json.ts';
import type { Asking, Question } from '../asking/asking.ts';
import { encoderOf, goLive, newSession, readySession } from '../asking/sessions.ts';
import { spelling } from '../asking/spelling.ts';
import {
  anyStream,
  deletedStream,
  newStream,
  otherStream,
  plainStream,
} from '../asking/streams.ts';

/** A request that a service should accept, in parts that a mutation can change. */
export interface Good {
  readonly method: string;
  /** Below the base address, with `{id}` where the id stands. */
  readonly path: string;
  readonly id: string;
  readonly query: string;
  readonly body: JsonObject | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What the request is about, where this is a stream of its own. */
  readonly stream: CreatedStream | undefined;
}

const [largest, , smallest] = recommendedProfiles;

/** Bodies that a service should accept; a field of a profile is that of the first of two. */
const goodBodies: Readonly<Partial<Record<Asked, JsonObject>>> = {
  createStream: { name: 'learn', profiles: [largest, smallest] },
  setRecord: { record: true },
};

/** Operations that change a stream, so that each request is about one of its own. */
const changing: ReadonlySet<Asked> = new Set<Asked>([
  'updateStream',
  'deleteStream',
  'setRecord',
  'terminateStream',
]);

/** A good request for an operation. @throws Blocked without what it is about */
export async function goodRequest(asking: Asking, asked: Asked): Promise<Good> {
  if (asked === 'unknownRoute') return { ...empty, method: 'GET', path: unknownPath };
  const { method, path } = interfaceOperations[asked];
  const request = {
    ...empty,
    method,
    path: path.replace(/\{\w+\}/, '{id}'),
    body: asked === 'updateStream' ? await asking.ask(goodUpdate) : goodBodies[asked],
  };
  if (changing.has(asked)) {
    const stream = asking.spares.pop() ?? (await newStream(asking));
    return { ...request, stream, id: stream.id };
  }
  const query = asked === 'listSessionsOfStream' ? 'record=1' : '';
  return { ...request, query, id: await idFor(asking, asked) };
}

/** Whether a service that ends streams accepts that of one that is not live. */
export const terminatesIdle: Question<boolean> = async (asking) => {
  const { id } = await newStream(asking);
  return isSuccess(await asking.send({ method: 'DELETE', path: `${streamPath(id)}/terminate` }));
};

/** An update that is accepted, or else the plainest: a service may refuse every field but one. */
const goodUpdate: Question<JsonObject> = async (asking) => {
  for (const body of goodUpdates) {
    const { id } = await newStream(asking);
    const response = await asking.send({ method: 'PATCH', path: streamPath(id), body });
    if (isSuccess(response)) return body;
  }
  return goodUpdates[0] as JsonObject;
};

const goodUpdates: readonly JsonObject[] = [
  { name: 'learned' },
  { profiles: [smallest] },
  { suspended: true },
  {},
];

const empty = { id: '', query: '', body: undefined, headers: {}, stream: undefined };

/** The id of something that is only read. */
async function idFor(asking: Asking, asked: Asked): Promise<string> {
  switch (asked) {
    case 'retrieveStream':
    case 'listSessionsOfStream':
      return textOf((await asking.ask(anyStream))['id']);
    case 'retrieveSession':
      return textOf((await asking.ask(readySession)).shown['id']);
    case 'retrievePlayback': {
      const playbackId = await playbackIdOf(asking, await asking.ask(anyStream));
      if (playbackId !== undefined) return playbackId;
      throw new Blocked('a stream that shows its playbackId');
    }
    default:
      return '';
  }
}

async function playbackIdOf(asking: Asking, stream: JsonObject): Promise<string | undefined> {
  const { playbackId: key = 'playbackId' } = await asking.ask(spelling);
  const id = stream[key];
  return typeof id === 'string' ? id : undefined;
}

/** Sets a field of a body; in `profiles[].width` it is that of the first profile. No value leaves it out. */
function withField(body: JsonObject, path: string, value: unknown): JsonObject {
  const [, key] = /^profiles\[\]\.?(.*)$/.exec(path) ?? [];
  if (key === undefined) return set(body, path, value);
  const changed = key === '' ? value : set({ ...largest }, key, value);
  return { ...body, profiles: [changed, smallest] };
}

function set(object: JsonObject, key: string, value: unknown): JsonObject {
  const { [key]: _, ...others } = object;
  return value === undefined ? others : { ...others, [key]: value };
}

/** A request made wrong, in one way or in several. */
export async function mutate(
  asking: Asking,
  good: Good,
  mutations: readonly Mutation[],
): Promise<Call> {
  const parts: Parts = { ...good, payload: undefined, isTyped: true, credential: 'right' };
  let wrong = parts;
  for (const mutation of mutations)
    wrong = { ...wrong, ...(await change(asking, wrong, mutation)) };
  const { method, path, id, query, body, payload, headers, isTyped, credential } = wrong;
  const full = path.replace('{id}', () => id);
  const sent = payload === undefined ? body : payload === 'none' ? undefined : payload;
  return {
    method,
    path: query === '' ? full : `${full}?${query}`,
    headers,
    credential,
    ...(sent !== undefined && { body: sent }),
    ...(!isTyped && { untyped: true }),
  };
}

/** The parts of a request that mutations change. */
interface Parts extends Good {
  /** The body as it is sent, where that is not the JSON of `body`. */
  readonly payload: string | Uint8Array<ArrayBuffer> | 'none' | undefined;
  readonly isTyped: boolean;
  readonly credential: 'right' | 'none' | 'wrong' | 'short' | 'long';
}

async function change(asking: Asking, parts: Parts, mutation: Mutation): Promise<Partial<Parts>> {
  if ('key' in mutation) return withKey(asking, parts, mutation.key);
  if ('field' in mutation) {
    return { body: withField(parts.body ?? {}, mutation.field, mutation.value) };
  }
  if ('state' in mutation) return enter(asking, parts, mutation);
  if ('id' in mutation) {
    asking.target.gate.adopt(decode(mutation.id));
    return { id: mutation.id };
  }
  if ('idOf' in mutation) return { id: await otherId(asking, parts, mutation.idOf) };
  return withPayload(parts, mutation) ?? withAddress(parts, mutation) ?? {};
}

/** A body that is sent otherwise than the good one; `undefined` for a mutation of something else. */
function withPayload(
  { body = {}, headers }: Parts,
  mutation: Mutation,
): Partial<Parts> | undefined {
  // A text that can be cut off at its end.
  const text = JSON.stringify(body).replace(/^\{\}$/, '{    }');
  if ('text' in mutation) return { payload: mutation.text };
  if ('none' in mutation) return { payload: 'none' };
  if ('cut' in mutation) return { payload: text.slice(0, -mutation.cut) };
  if ('bytes' in mutation) return { payload: withBytes(body, mutation.bytes) };
  if ('size' in mutation) return { payload: text.padEnd(mutation.size, ' ') };
  if ('depth' in mutation) {
    const nested = '['.repeat(mutation.depth - 1) + ']'.repeat(mutation.depth - 1);
    return { payload: `${text.slice(0, -1)},"${furtherField}":${nested}}` };
  }
  if ('type' in mutation) {
    const { type } = mutation;
    return type === null ? { isTyped: false } : { headers: { ...headers, 'content-type': type } };
  }
  if (!('encoding' in mutation)) return undefined;
  const { encoding } = mutation;
  const payload = new Uint8Array(encoding === 'gzip' ? gzipSync(text) : deflateSync(text));
  return { payload, headers: { ...headers, 'content-encoding': encoding } };
}

/** Another method, path or query; `undefined` for a mutation of something else. */
function withAddress({ id, path, query }: Parts, mutation: Mutation): Partial<Parts> | undefined {
  // No query may be in a request that may write.
  if ('method' in mutation) return { method: mutation.method, query: '' };
  if ('path' in mutation) return { path: otherPath(path, mutation.path) };
  if (!('query' in mutation)) return undefined;
  const other = mutation.query.replace('{id}', () => pathSegment(id));
  // The stated parameter is replaced by another value of it, or by none.
  const isOther = query === '' || other === '' || other.startsWith('record=');
  return { query: isOther ? other : `${query}&${other}` };
}

/** A key that no service knows. */
const furtherField = 'livestreamMockUnknown';

/** The good body with bytes in a text. */
function withBytes(body: JsonObject, bytes: string): Uint8Array<ArrayBuffer> {
  const field = 'name' in body ? 'name' : furtherField;
  const [before = '', after = ''] = JSON.stringify({ ...body, [field]: '{bytes}' }).split(
    '{bytes}',
  );
  return new Uint8Array(Buffer.from(before + bytes + after, 'latin1'));
}

function withKey(
  { target: { apiKey } }: Asking,
  { headers }: Parts,
  key: Extract<Mutation, { key: unknown }>['key'],
): Partial<Parts> {
  const authorized = (authorization: string): Partial<Parts> => ({
    headers: { ...headers, authorization },
  });
  switch (key) {
    case 'none':
    case 'wrong':
      return { credential: key };
    case 'cut':
      return { credential: 'short' };
    case 'extended':
      return { credential: 'long' };
    case 'empty':
      return authorized('Bearer ');
    case 'basic':
      return authorized('Basic bGVhcm46bGVhcm4=');
    case 'token':
      return authorized('Token livestream-mock');
    case 'bare':
      return authorized(apiKey);
    case 'lower-case':
      return authorized(`bearer ${apiKey}`);
    case 'other':
      return authorized(`Bearer ${unknownId}`);
  }
}

/** The id of something else than the operation expects; what is written to is the probe's own. */
async function otherId(
  asking: Asking,
  { method, path }: Parts,
  what: Extract<Mutation, { idOf: unknown }>['idOf'],
): Promise<string> {
  switch (what) {
    case 'unknown':
      return unknownId;
    case 'deleted':
      return pathSegment(await asking.ask(deletedStream));
    case 'other-key':
      return pathSegment(await idOfOther(asking, path));
    case 'stream':
      return pathSegment((await asking.ask(plainStream)).id);
    case 'session':
      return pathSegment(
        method === 'GET'
          ? (await asking.ask(readySession)).shown['id']
          : await idOfOwnSession(asking),
      );
  }
}

/** @throws Blocked where the control API tells an id that is not of this run */
async function idOfOwnSession(asking: Asking): Promise<string> {
  const { id } = await newSession(asking);
  if (asking.target.gate.owns(id)) return id;
  throw new Blocked('a session of its own: the service says that it is another one');
}

async function idOfOther(asking: Asking, path: string): Promise<unknown> {
  const { id, shown } = await otherStream(asking);
  if (path.startsWith('/playback')) return playbackIdOf(asking, shown);
  if (!path.startsWith('/session')) return id;
  const { provider, creations } = asking.other();
  creations.live.add(id);
  const session = await encoderOf({ provider }).broadcast({ id, streamKey: undefined, shown }, 8);
  if (session !== undefined) return session['id'];
  throw new Blocked('a session of another API key: add --control-url, which tells its id');
}

/** Goes live on the stream that a request is about, unless it is to be idle. */
async function enter(
  asking: Asking,
  { stream, body, method }: Parts,
  mutation: Extract<Mutation, { state: unknown }>,
): Promise<Partial<Parts>> {
  if (mutation.state === 'idle' || stream === undefined) return {};
  const isSwitch = body !== undefined && 'record' in body;
  // The good body turns recording on.
  if (isSwitch) await setRecord(asking.send, stream.id, 'same' in mutation, 0);
  asking.lives.set(stream.id, await goLive(asking, stream));
  // What a service refuses to update of a live stream is its profiles.
  return method === 'PATCH' && !isSwitch ? { body: { profiles: [smallest], ...body } } : {};
}

function otherPath(path: string, how: Extract<Mutation, { path: unknown }>['path']): string {
  switch (how) {
    case 'doubled-slash':
      return `/${path}`;
    case 'encoded-letter':
      return path.replace('s', '%73').replace('/p', '/%70');
    case 'trailing-slash':
      return `${path}/`;
    case 'upper-case':
      return path.replaceAll(/\/[a-z]+/g, (word) => word.toUpperCase());
    case 'unknown':
      return unknownPath;
  }
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
