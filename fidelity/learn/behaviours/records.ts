import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { unknownPath } from '../../../conformance/target/gate.ts';
import {
  get,
  post,
  recordedSessionsPath,
  streamPath,
} from '../../../conformance/target/operations.ts';
import { profileFields } from '../../../interface/fields.ts';
import type { Json } from '../../../interface/json.ts';
import {
  type Behaviours,
  type DefaultProfiles,
  documentedKeys,
  rowOf,
} from '../../../interface/silent.ts';
import type { Profile } from '../../../interface/types.ts';
import { isObject, textOf } from '../../json.ts';
import { deepestSample, samplesOf } from '../../sample.ts';
import { type Asking, type Question, Unsayable } from '../asking/asking.ts';
import { recordIn, recordsIn } from '../asking/records.ts';
import { readySession, recordOf, sessionPath } from '../asking/sessions.ts';
import { spelling } from '../asking/spelling.ts';
import { anyStream, newStream, plainStream } from '../asking/streams.ts';
import { each } from './each.ts';

type Rows = Pick<
  Behaviours,
  | 'create.location'
  | 'record.default'
  | 'profiles.default'
  | 'profiles.of-session'
  | 'stream.record'
  | 'stream.further-keys'
  | 'session.further-keys'
  | 'session.mp4Url'
  | 'keys.spelling'
  | 'answer.wrapped'
  | 'http.json-type'
  | 'http.headers'
>;

/** The response to the plainest creation. @throws Blocked where it is refused */
const creation: Question<TargetResponse> = async ({ send }) => {
  const response = await send(post('/stream', { name: 'learn' }));
  if (isSuccess(response)) return response;
  throw new Blocked(`a stream without profiles: its creation got status ${response.status}`);
};

/** A list that every service has. */
const list: Question<TargetResponse> = async ({ ask, send }) =>
  send(get(recordedSessionsPath(textOf((await ask(anyStream))['id']))));

/** What a stream shows that was created with these profiles. */
function shownProfiles(profiles: readonly [] | null | undefined): Question<DefaultProfiles> {
  return async ({ ask, send }) => {
    const response =
      profiles === undefined
        ? await ask(creation)
        : await send(post('/stream', { name: 'learn', profiles }));
    const shown = recordIn(response);
    if (shown !== undefined) return readProfiles(shown['profiles']);
    throw new Blocked(`a stream with such profiles: its creation got status ${response.status}`);
  };
}

function readProfiles(profiles: unknown): DefaultProfiles {
  if (profiles === undefined) return 'absent';
  if (profiles === null) return 'null';
  if (!Array.isArray(profiles))
    throw new Unsayable('profiles: expected an array, got another value');
  if (profiles.length === 0) return 'empty';
  const keys = ['name', ...profileFields];
  return profiles
    .filter(isObject)
    .map((one) => Object.fromEntries(keys.map((key) => [key, one[key]]))) as unknown as Profile[];
}

/** The session of a stream without profiles. */
const profilesOfSession: Question<'empty' | 'absent' | 'null'> = async ({ ask }) => {
  const shown = readProfiles((await ask(readySession)).shown['profiles']);
  if (typeof shown === 'string') return shown as 'empty' | 'absent' | 'null';
  throw new Blocked('a stream without profiles: it has some where none are given');
};

async function furtherKeys(
  { ask, readOnly, provider }: Asking,
  kind: 'stream' | 'session',
  shown: JsonObject,
): Promise<Record<string, Json>> {
  const stated = new Map(Object.entries(await ask(spelling)).map(([key, other]) => [other, key]));
  const named = Object.entries(shown).map(([key, value]) => [stated.get(key) ?? key, value]);
  // Inside an object of somebody else, such as tags, the keys may be data.
  const depth = readOnly || provider.name === 'given' ? deepestSample : 0;
  return samplesOf(Object.fromEntries(named), new Set(documentedKeys[kind]), depth);
}

/** The key of the object in which an operation shows what it has. */
function wrapperAt(path: Question<string>): Question<string | null> {
  return async (asking) => {
    const response = await asking.send(get(await path(asking)));
    const shown = recordsIn(response);
    if (shown !== undefined) return shown.wrapper;
    throw new Blocked(`a record or a list: it got status ${response.status}`);
  };
}

/** Headers of a success, a list and a refusal: what all have, every response has. */
const headers: Question<Record<string, string>> = async ({ ask, send, readOnly }) => {
  const responses = [await ask(list), await send(get(unknownPath))];
  if (!readOnly) responses.push(await ask(creation));
  const { values } = rowOf('http.headers');
  const [first, ...others] = responses;
  const shared = [...(first?.headers ?? [])].filter(
    ([name]) =>
      others.every((one) => one.headers.has(name)) && values.safeParse({ [name]: '' }).success,
  );
  return Object.fromEntries(
    shared.map(([name, value]) => {
      const isSame = others.every((one) => one.headers.get(name) === value);
      return [name, isSame && isPlain(value) ? value : 'text'];
    }),
  );
};

/** Whether a header's value says nothing about anyone: no id, address, date or version. */
function isPlain(value: string): boolean {
  return /^[a-z][\w ,;=-]{0,100}$/i.test(value) && !/\d{3}|\d[a-f]\d/i.test(value);
}

/** Probes of what streams and sessions show, and of what every response has. */
export const recordProbes: { readonly [Id in keyof Rows]: Question<Partial<Rows[Id]> | Rows[Id]> } =
  {
    'create.location': async ({ ask }) =>
      (await ask(creation)).headers.has('location') ? 'present' : 'absent',
    'record.default': async (asking) => recordOf(asking, await newStream(asking)),
    'profiles.default': each<Rows['profiles.default']>({
      omitted: shownProfiles(undefined),
      none: shownProfiles([]),
      null: shownProfiles(null),
    }),
    'profiles.of-session': profilesOfSession,
    'stream.record': async ({ ask }) => ('record' in (await ask(anyStream)) ? 'shown' : 'absent'),
    'stream.further-keys': async (asking) =>
      furtherKeys(asking, 'stream', await asking.ask(anyStream)),
    'session.further-keys': async (asking) =>
      furtherKeys(asking, 'session', (await asking.ask(readySession)).shown),
    async 'session.mp4Url'({ ask }) {
      const isRespelled = (await ask(spelling)).mp4URL === 'mp4Url';
      return !isRespelled && 'mp4Url' in (await ask(readySession)).shown ? 'present' : 'absent';
    },
    'keys.spelling': ({ ask }) => ask(spelling),
    'answer.wrapped': each<Rows['answer.wrapped']>({
      listStreams: wrapperAt(async () => '/stream'),
      retrieveStream: wrapperAt(async ({ ask }) => streamPath((await ask(plainStream)).id)),
      listSessions: wrapperAt(async () => '/session'),
      retrieveSession: wrapperAt(async ({ ask }) =>
        sessionPath((await ask(readySession)).shown['id']),
      ),
    }),
    'http.json-type': async ({ ask }) =>
      ((await ask(list)).headers.get('content-type') ?? '').toLowerCase(),
    'http.headers': ({ ask }) => ask(headers),
  };
