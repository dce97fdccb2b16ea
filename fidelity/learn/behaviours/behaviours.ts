import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { get, post, streamPath } from '../../../conformance/target/operations.ts';
import type { Asked } from '../../../interface/errors.ts';
import { profileFields } from '../../../interface/fields.ts';
import type { Json } from '../../../interface/json.ts';
import {
  type DefaultProfiles,
  documentedKeys,
  type RowId,
  rowIds,
  rowOf,
  type Shown,
} from '../../../interface/silent.ts';
import type { Profile } from '../../../interface/types.ts';
import { isObject } from '../../json.ts';
import { sampleOf } from '../../sample.ts';
import {
  type Asking,
  each,
  type Probes,
  type Question,
  Unsayable,
  unlessBlocked,
} from '../asking/asking.ts';
import {
  makeSession,
  readySession,
  recordOf,
  sessionPath,
  showSession,
  spelling,
  waitFor,
} from '../asking/sessions.ts';
import {
  anyStream,
  bodyOf,
  creation,
  newStream,
  plainInput,
  plainStream,
  recordIn,
  recordsIn,
  showStream,
} from '../asking/streams.ts';
import { attemptsAt, send } from '../cells/cells.ts';
import { httpProbes } from './http.ts';
import { listProbes, timelineProbes } from './lists.ts';

const withoutProfiles = { omitted: {}, none: { profiles: [] }, null: { profiles: null } } as const;

/** What a stream shows that was created with no profiles, in one of several ways. */
function shownProfiles(way: keyof typeof withoutProfiles): Question<DefaultProfiles> {
  return async (asking) => {
    const input = { ...plainInput, ...withoutProfiles[way] };
    const response = await asking.send(post('/stream', input));
    const shown = recordIn(response);
    if (shown !== undefined) return readProfiles(shown['profiles']);
    throw new Blocked(`a stream with such profiles: its creation got status ${response.status}`);
  };
}

function readProfiles(profiles: unknown): DefaultProfiles {
  if (profiles === undefined) return 'absent';
  if (profiles === null) return 'null';
  if (!Array.isArray(profiles)) {
    throw new Unsayable('profiles: expected an array, got another value');
  }
  if (profiles.length === 0) return 'empty';
  const keys = ['name', ...profileFields];
  return profiles
    .filter(isObject)
    .map((one) => Object.fromEntries(keys.map((key) => [key, one[key]]))) as unknown as Profile[];
}

/** Samples of the keys that the interface does not name, as a stream or a session shows them. */
async function furtherKeys(
  { ask, readOnly, provider }: Asking,
  kind: 'stream' | 'session',
  shown: JsonObject,
): Promise<Record<string, Json>> {
  const stated = new Map(Object.entries(await ask(spelling)).map(([key, other]) => [other, key]));
  const further = Object.entries(shown)
    .map(([key, value]) => [stated.get(key) ?? key, value] as const)
    .filter(([key]) => !documentedKeys[kind].includes(key));
  // Inside an object of somebody else, such as tags, the keys may be data.
  const isForeign = readOnly || provider.name === 'given';
  const sample = sampleOf(Object.fromEntries(further), { levels: isForeign ? 1 : deepest });
  return sample as Record<string, Json>;
}

/** Levels of objects that a sample shows. */
const deepest = 3;

/** Where an operation shows what it has. */
const paths = {
  listStreams: async () => '/stream',
  retrieveStream: async ({ ask }) => streamPath((await ask(plainStream)).id),
  listSessions: async () => '/session',
  retrieveSession: async ({ ask }) => sessionPath((await ask(readySession)).shown['id']),
} as const satisfies Record<string, Question<string>>;

/** The key of the object in which an operation shows what it has. */
function wrapperOf(name: keyof typeof paths): Question<string | null> {
  return async (asking) => {
    const response = await asking.send(get(await paths[name](asking)));
    const shown = recordsIn(response);
    if (shown !== undefined) return shown.wrapper;
    throw new Blocked(`a record or a list: it got status ${response.status}`);
  };
}

/** What the response to a change shows. */
function shownBy(asked: Asked): Question<Shown> {
  return async (asking) => {
    let last: TargetResponse | undefined;
    for (const mutations of attemptsAt(asked)) {
      const { response, good } = await send(asking, asked, mutations);
      if (isSuccess(response)) return readShown(response, await asking.ask(shownKeys), good.id);
      last = response;
    }
    throw new Blocked(`a change that is accepted: ${asked} got status ${last?.status}`);
  };
}

/** The documented keys of a stream that a service shows: it may show some only when it creates one. */
const shownKeys: Question<readonly string[]> = async (asking) => {
  const { id, shown: created } = await asking.ask(plainStream);
  const shown = (await unlessBlocked(showStream(asking, id))) ?? created;
  return documentedKeys.stream.filter((key) => key in shown);
};

function readShown(response: TargetResponse, keys: readonly string[], id: string): Shown {
  const { status, text } = response;
  if (text === '') return status === 204 ? 'nothing' : { status };
  const body = bodyOf(response);
  if (body === undefined) throw new Unsayable('expected no body, or JSON, got something else');
  const isStream = isObject(body) && body['id'] === id && keys.every((key) => key in body);
  const place = { levels: deepest, keepsTruth: true } as const;
  return isStream && status === 200 ? 'stream' : { status, json: sampleOf(body, place) };
}

/** What can still be read of a session after its stream was deleted. */
const leaves: Question<'nothing' | 'sessions'> = async (asking) => {
  const stream = await newStream(asking);
  const { id } = await makeSession(asking, stream);
  const shown = await waitFor(asking, () => showSession(asking, stream.id, id));
  if (shown === undefined) throw new Blocked('a session that is shown: none was in time');
  const deleted = await asking.send({ method: 'DELETE', path: streamPath(stream.id) });
  if (!isSuccess(deleted)) throw new Blocked('a deleted stream with a session: it was refused');
  return (await showSession(asking, stream.id, id)) === undefined ? 'nothing' : 'sessions';
};

type Part = 'create' | 'record' | 'profiles' | 'stream' | 'session' | 'keys' | 'answer' | 'delete';

/** Probes of what streams and sessions show, and of what changes show and leave. */
const recordProbes: Probes<Part> = {
  async 'create.location'({ ask }) {
    return (await ask(creation)).headers.has('location') ? 'present' : 'absent';
  },
  'record.default': async (asking) => recordOf(asking, (await newStream(asking)).shown),
  'profiles.default': each(['omitted', 'none', 'null'], shownProfiles),
  async 'profiles.of-session'({ ask }) {
    const shown = readProfiles((await ask(readySession)).shown['profiles']);
    if (typeof shown === 'string') return shown as 'empty' | 'absent' | 'null';
    throw new Blocked('a stream without profiles: it has some where none are given');
  },
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
  'answer.wrapped': each(
    ['listStreams', 'retrieveStream', 'listSessions', 'retrieveSession'],
    wrapperOf,
  ),
  'answer.shows': each(['updateStream', 'deleteStream', 'terminateStream'], shownBy),
  'delete.leaves': leaves,
};

/** How each row is found out; one without a probe does not compile. */
const probes: Readonly<Record<RowId, Question<unknown>>> = {
  ...recordProbes,
  ...listProbes,
  ...timelineProbes,
  ...httpProbes,
};

const timed: readonly RowId[] = ['sessions.appear', 'time.ready', 'time.listed'];
const ofLists = Object.keys(listProbes) as RowId[];

/** When rows are asked for: those whose answers take time while nothing else is, lists while nothing is created. */
export const rows: Readonly<Record<'timed' | 'lists' | 'others', readonly RowId[]>> = {
  timed,
  lists: ofLists,
  others: rowIds.filter((id) => !timed.includes(id) && !ofLists.includes(id)),
};

/** Finds out the value of a row. @throws Unsayable for a value that is not one of the row's */
export function probeRow(id: RowId): Question<unknown> {
  return async (asking) => {
    const value = await probes[id](asking);
    const { error } = rowOf(id).values.safeParse(value);
    if (error === undefined) return value;
    const expected = error.issues[0]?.message ?? 'a value of the row';
    throw new Unsayable(`expected ${expected}, got another`);
  };
}
