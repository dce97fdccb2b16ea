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
import type { Asked, ListOperation, Mutation } from '../../../interface/errors.ts';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import { interfaceOperations } from '../../../interface/operations.ts';
import { textOf } from '../../json.ts';
import type { Asking, Question } from '../asking/asking.ts';
import {
  encoderOf,
  goLive,
  knownLists,
  newSession,
  readySession,
  spelling,
} from '../asking/sessions.ts';
import { anyStream, deletedStream, newStream, plainInput, plainStream } from '../asking/streams.ts';

/** A request, in parts that mutations change. */
export interface Parts {
  readonly method: string;
  /** Below the base address, with `{id}` where the id stands. */
  readonly path: string;
  readonly id: string;
  readonly query: string;
  readonly body: JsonObject | undefined;
  /** The body as it is sent, where that is not the JSON of `body`. */
  readonly payload?: string | Uint8Array<ArrayBuffer> | 'none';
  readonly isTyped: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly credential: NonNullable<Call['credential']>;
  /** What the request is about, where this is a stream of its own. */
  readonly stream: CreatedStream | undefined;
}

const empty = {
  id: '',
  query: '',
  body: undefined,
  isTyped: true,
  headers: {},
  credential: 'right',
  stream: undefined,
} as const;

const [largest, , smallest] = recommendedProfiles;

/** Whether what is asked for is a list. */
export function isList(asked: Asked): asked is ListOperation {
  return asked in knownLists;
}

/** The id that is in a request which only reads. */
const readIds: Readonly<Partial<Record<Asked, Question<unknown>>>> = {
  retrieveStream: async ({ ask }) => (await ask(anyStream))['id'],
  listSessionsOfStream: async ({ ask }) => (await ask(anyStream))['id'],
  retrieveSession: async ({ ask }) => (await ask(readySession)).shown['id'],
  async retrievePlayback(asking) {
    const playbackId = await playbackIdOf(asking, await asking.ask(anyStream));
    if (playbackId !== undefined) return playbackId;
    throw new Blocked('a stream that shows its playbackId');
  },
};

/**
 * A request for an operation that a service should accept once it is not made wrong. What changes a stream is
 * about one of its own. @throws Blocked without what it is about
 */
export async function goodRequest(
  asking: Asking,
  asked: Asked,
  mutations: readonly Mutation[],
): Promise<Parts> {
  if (asked === 'unknownRoute') return { ...empty, method: 'GET', path: unknownPath };
  const { method, path } = interfaceOperations[asked];
  const request = { ...empty, method, path: path.replace(/\{\w+\}/, '{id}') };
  // A field of a profile is that of the first of two.
  if (asked === 'createStream') {
    return { ...request, body: { ...plainInput, profiles: [largest, smallest] } };
  }
  if (changing.has(asked)) return changeOfOwn(asking, asked, { request, mutations });
  const query = asked === 'listSessionsOfStream' ? 'record=1' : '';
  // A query is asked of a list of several records, where there are some.
  const isQuery = !asking.readOnly && mutations.some((one) => 'query' in one);
  const known = isQuery && isList(asked) ? await asking.ask(knownLists[asked]) : undefined;
  const id = known?.streamId ?? (await readIds[asked]?.(asking)) ?? '';
  return { ...request, query, id: textOf(id) };
}

/** Operations that change a stream. */
const changing: ReadonlySet<Asked> = new Set<Asked>([
  'updateStream',
  'deleteStream',
  'setRecord',
  'terminateStream',
]);

async function changeOfOwn(
  asking: Asking,
  asked: Asked,
  { request, mutations }: { readonly request: Parts; readonly mutations: readonly Mutation[] },
): Promise<Parts> {
  const update = asked === 'updateStream' ? await asking.ask(goodUpdate) : undefined;
  const stream = asking.spares.pop() ?? (await newStream(asking));
  // A service may refuse to end what is not live.
  const isEnding = asked === 'terminateStream' && !mutations.some((one) => 'state' in one);
  if (isEnding && !(await asking.ask(terminatesIdle))) {
    asking.lives.set(stream.id, await goLive(asking, stream));
  }
  const body = asked === 'setRecord' ? { record: true } : update;
  return { ...request, body, stream, id: stream.id };
}

/** Whether a service that ends streams accepts that of one that is not live. */
const terminatesIdle: Question<boolean> = async (asking) => {
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
  return goodUpdates[0];
};

const goodUpdates = [
  { name: 'learned' },
  { profiles: [smallest] },
  { suspended: false },
  {},
] as const satisfies readonly JsonObject[];

async function playbackIdOf(asking: Asking, stream: JsonObject): Promise<string | undefined> {
  const { playbackId: key = 'playbackId' } = await asking.ask(spelling);
  const id = stream[key];
  return typeof id === 'string' ? id : undefined;
}

/** A request made wrong, in one way or in several. */
export async function mutate(
  asking: Asking,
  good: Parts,
  mutations: readonly Mutation[],
): Promise<Call> {
  let wrong = good;
  for (const mutation of mutations) {
    wrong = { ...wrong, ...(await change(asking, wrong, mutation)) };
  }
  const { method, path, id, query, body, payload = body, headers, isTyped, credential } = wrong;
  const full = path.replace('{id}', () => id);
  return {
    method,
    path: query === '' ? full : `${full}?${query}`,
    headers,
    credential,
    ...(payload !== undefined && payload !== 'none' && { body: payload }),
    ...(!isTyped && { untyped: true }),
  };
}

/** The parts of a request that a mutation changes. */
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
  if ('idOf' in mutation) {
    return { id: pathSegment(await otherIds[mutation.idOf](asking, parts)) };
  }
  // No query may be in a request that may write.
  if ('method' in mutation) return { method: mutation.method, query: '' };
  if ('path' in mutation) return { path: otherPaths[mutation.path](parts.path) };
  if ('query' in mutation) return withParameter(parts, mutation.query);
  return withPayload(parts, mutation);
}

type KeyName = Extract<Mutation, { key: unknown }>['key'];

const credentials: Readonly<Partial<Record<KeyName, Parts['credential']>>> = {
  none: 'none',
  wrong: 'wrong',
  cut: 'short',
  extended: 'long',
};

/** What is sent as `authorization` instead of the right key. */
const authorizations: Readonly<Partial<Record<KeyName, (apiKey: string) => string>>> = {
  empty: () => 'Bearer ',
  basic: () => 'Basic bGVhcm46bGVhcm4=',
  token: () => 'Token livestream-mock',
  bare: (apiKey) => apiKey,
  'lower-case': (apiKey) => `bearer ${apiKey}`,
  other: () => `Bearer ${unknownId}`,
};

function withKey({ target }: Asking, { headers }: Parts, key: KeyName): Partial<Parts> {
  const authorization = authorizations[key]?.(target.apiKey);
  if (authorization === undefined) return { credential: credentials[key] ?? 'right' };
  return { headers: { ...headers, authorization } };
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

/** A body that is sent otherwise than the good one. */
function withPayload({ body = {}, headers }: Parts, mutation: Mutation): Partial<Parts> {
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
  if (!('encoding' in mutation)) return {};
  const { encoding } = mutation;
  const payload = new Uint8Array(encoding === 'gzip' ? gzipSync(text) : deflateSync(text));
  return { payload, headers: { ...headers, 'content-encoding': encoding } };
}

/** A key that no service knows. */
const furtherField = 'livestreamMockUnknown';

/** The good body with bytes in a text. */
function withBytes(body: JsonObject, bytes: string): Uint8Array<ArrayBuffer> {
  const field = 'name' in body ? 'name' : furtherField;
  const text = JSON.stringify({ ...body, [field]: '{bytes}' });
  return new Uint8Array(
    Buffer.from(
      text.replace('{bytes}', () => bytes),
      'latin1',
    ),
  );
}

function withParameter({ id, query }: Parts, parameter: string): Partial<Parts> {
  const other = parameter.replace('{id}', () => pathSegment(id));
  // The stated parameter is replaced by another value of it, or by none.
  const isOther = query === '' || other === '' || other.startsWith('record=');
  return { query: isOther ? other : `${query}&${other}` };
}

const otherPaths: Readonly<
  Record<Extract<Mutation, { path: unknown }>['path'], (path: string) => string>
> = {
  'doubled-slash': (path) => `/${path}`,
  'encoded-letter': (path) => path.replace('s', '%73').replace('/p', '/%70'),
  'trailing-slash': (path) => `${path}/`,
  'upper-case': (path) => path.replaceAll(/\/[a-z]+/g, (word) => word.toUpperCase()),
  unknown: () => unknownPath,
};

/** The id of something else than the operation expects; what is written to is the probe's own. */
const otherIds: Readonly<
  Record<
    Extract<Mutation, { idOf: unknown }>['idOf'],
    (asking: Asking, parts: Parts) => Promise<unknown>
  >
> = {
  unknown: async () => unknownId,
  deleted: ({ ask }) => ask(deletedStream),
  'other-key': (asking, { path }) => idOfOther(asking.other(), path),
  stream: async ({ ask }) => (await ask(plainStream)).id,
  async session(asking, { method }) {
    if (method === 'GET') return (await asking.ask(readySession)).shown['id'];
    const { id } = await newSession(asking);
    if (asking.target.gate.owns(id)) return id;
    throw new Blocked('a session of its own: the service says that it is another one');
  },
};

async function idOfOther(other: Asking, path: string): Promise<unknown> {
  const stream = await newStream(other);
  if (path.startsWith('/playback')) return playbackIdOf(other, stream.shown);
  if (!path.startsWith('/session')) return stream.id;
  other.creations.live.add(stream.id);
  const session = await encoderOf(other).broadcast({ ...stream, streamKey: undefined }, 8);
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

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
