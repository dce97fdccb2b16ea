import {
  type BehaviourId,
  type Behaviours,
  behaviourIds,
  definitionOf,
  type NamedBehaviour,
  type Samples,
} from '../../../interface/dialect/behaviours.ts';
import type { Endpoint } from '../../../interface/dialect/errors.ts';
import { isObject } from '../../../interface/json.ts';
import { profileSchema } from '../../../interface/schemas.ts';
import type { Profile } from '../../../interface/types.ts';
import { jsonOf } from '../../../target/requests/bounded-json.ts';
import { Blocked, unlessPrevented } from '../../../target/requests/failure.ts';
import { isSuccess, type JsonObject } from '../../../target/requests/read-response.ts';
import { post, streamPath } from '../../../target/streams/stream-requests.ts';
import { sampleOf, textOf } from '../../json-shapes.ts';
import { itemIn, itemsIn } from '../../response-items.ts';
import { wordsIn } from '../../word-samples.ts';
import { acceptedOf } from '../cells/wrong-requests.ts';
import { waitFor } from '../probing/poll.ts';
import {
  currentSession,
  defaultRecordValue,
  makeSession,
  readySession,
} from '../probing/probed-sessions.ts';
import { anyStream, currentStream, newStream, plainInput } from '../probing/probed-streams.ts';
import {
  Inexpressible,
  type NamedProbe,
  need,
  type Probe,
  type ProbeContext,
  type Probes,
  requireShort,
} from '../probing/prober.ts';
import { spelling } from '../probing/spelling.ts';
import { httpProbes } from './probe-http.ts';
import {
  commonSession,
  keysOfPlace,
  missingKeysOf,
  sampleKeys,
  sampleLevels,
} from './probe-keys.ts';
import { listProbes } from './probe-lists.ts';
import { timelineProbes, unrecordedSession } from './probe-timeline.ts';

const withoutProfiles = { omitted: {}, none: { profiles: [] }, null: { profiles: null } } as const;

type ShownProfiles = NamedBehaviour<'profiles.default'>;

/** What a stream shows that was created without profiles in one of several ways. */
function shownProfiles(way: keyof typeof withoutProfiles): Probe<ShownProfiles> {
  return async (context) => {
    const input = { ...plainInput, ...withoutProfiles[way] };
    const response = await context.send(post('/stream', input));
    const got = `its creation got status ${response.status}`;
    const created = need(itemIn(response), `a stream with such profiles: ${got}`);
    // The response to a creation may leave out what was not sent.
    const stream =
      'profiles' in created
        ? created
        : await unlessPrevented(currentStream(context, textOf(created['id'])));
    return asProfiles(stream?.['profiles']);
  };
}

function asProfiles(profiles: unknown): ShownProfiles {
  if (profiles === undefined) return 'absent';
  if (profiles === null) return 'null';
  if (!Array.isArray(profiles)) {
    throw new Inexpressible('profiles: expected an array, got another value');
  }
  if (profiles.length === 0) return 'empty';
  return profiles.filter(isObject).map((profile) => {
    const keys = Object.keys(profileSchema.shape).filter((key) => key in profile);
    return Object.fromEntries(keys.map((key) => [key, profile[key]])) as unknown as Profile;
  });
}

/** The object around the result of an operation. */
function envelopeOf(endpoint: Endpoint): Probe<NamedBehaviour<'response.wrapped'>> {
  return async (context) => {
    const { response } = await acceptedOf(endpoint)(context);
    const expected = `an item or a list in the response to ${endpoint}`;
    const { wrapper } = need(itemsIn(response), expected);
    if (wrapper === null) return null;
    const { [wrapper]: _, ...furtherKeys } = jsonOf(response) as JsonObject;
    const wordAt = wordsIn(furtherKeys, sampleLevels, context.documented);
    return { [wrapper]: '{result}', ...Object(sampleOf(furtherKeys, sampleLevels, wordAt)) };
  };
}

/** What the response to a change shows. */
function shownBy(endpoint: Endpoint): Probe<NamedBehaviour<'response.shows'>> {
  return async (context) => {
    const { response, id } = await acceptedOf(endpoint)(context);
    const { status, text } = response;
    if (text === '') return status === 204 ? 'nothing' : { status };
    const body = jsonOf(response);
    if (body === undefined) {
      throw new Inexpressible('expected no body, or JSON, got something else');
    }
    const isStream = isObject(body) && body['id'] === id && 'name' in body;
    if (isStream && status === 200) return 'stream';
    const wordAt = wordsIn(body, sampleLevels, context.documented);
    return { status, json: sampleOf(body, sampleLevels, wordAt) };
  };
}

/** What the response with playback shows: sources in the mock's own form, or samples. */
const shownOfPlayback: Probe<Behaviours['playback.shows']> = async (context) => {
  const { response } = await acceptedOf('retrievePlayback')(context);
  const body = jsonOf(response);
  if (!isObject(body)) throw new Inexpressible('expected an object, got something else');
  if (isObject(body['meta']) && Array.isArray(body['meta']['source'])) return 'sources';
  // The address of the playlist is that of the mock.
  const text = response.text.replaceAll(/"https?:[^"]*\.m3u8[^"]*"/g, '"{hls}"');
  const wordAt = wordsIn(body, sampleLevels, context.documented);
  const sample = sampleOf(JSON.parse(text), sampleLevels, (key, value) =>
    value === '{hls}' ? value : wordAt(key, value),
  );
  return sample as Samples;
};

/** What can still be read of a session after its stream was deleted. */
const afterDeletion: Probe<'nothing' | 'sessions'> = async (context) => {
  const stream = await newStream(context);
  const { id } = await makeSession(context, stream);
  const session = await waitFor(context, () => currentSession(context, undefined, id));
  need(session, 'a session outside the list of its stream');
  const deleted = await context.send({ method: 'DELETE', path: streamPath(stream.id) });
  need(isSuccess(deleted), 'a deleted stream with a session: it was refused');
  return (await currentSession(context, undefined, id)) === undefined ? 'nothing' : 'sessions';
};

/** How each behaviour is found out; one without a probe does not compile. */
const probes: Probes = {
  ...listProbes,
  ...timelineProbes,
  ...httpProbes,
  async 'create.location'(context) {
    const { headers } = (await acceptedOf('createStream')(context)).response;
    return headers.has('location') ? 'present' : 'absent';
  },
  'record.default': async ({ ask }) => (await ask(defaultRecordValue)) as boolean,
  'profiles.default': shownProfiles,
  async 'profiles.of-session'({ ask }) {
    const profiles = asProfiles((await ask(readySession)).session['profiles']);
    const isNone = typeof profiles === 'string';
    return need(isNone && profiles, 'a stream without profiles: the service adds some');
  },
  'stream.record': async ({ ask }) => ('record' in (await ask(anyStream)) ? 'shown' : 'absent'),
  'stream.further-keys': async (context) =>
    sampleKeys(context, 'stream', await context.ask(anyStream)),
  'session.further-keys': async (context) =>
    sampleKeys(context, 'session', await context.ask(commonSession)),
  async 'session.mp4Url'({ ask }) {
    const isRespelled = (await ask(spelling)).mp4URL === 'mp4Url';
    return !isRespelled && 'mp4Url' in (await ask(readySession)).session ? 'present' : 'absent';
  },
  'keys.by-place': keysOfPlace,
  'keys.missing': missingKeysOf,
  'playback.shows': shownOfPlayback,
  'keys.spelling': ({ ask }) => ask(spelling),
  'session.record': async ({ ask }) =>
    'record' in (await ask(unrecordedSession)) ? 'shown' : 'absent',
  'response.wrapped': envelopeOf,
  'response.shows': shownBy,
  'delete.leaves': afterDeletion,
};

const timed: readonly BehaviourId[] = ['sessions.appear', 'time.ready', 'time.listed'];

/** Asks for the behaviours of a round: slow answers are timed while nothing else is asked, and lists read while nothing is created. */
export function behavioursIn(round: 'timed' | 'lists' | 'others'): NamedProbe[] {
  const ids = behaviourIds.filter((id) => {
    const ofRound = timed.includes(id) ? 'timed' : id in listProbes ? 'lists' : 'others';
    return ofRound === round;
  });
  return ids.map((id) => ({ name: `behaviours.${id}`, probe: probeBehaviour(id) }));
}

/** Finds out the value of a behaviour. @throws Inexpressible for a value that it cannot have */
export function probeBehaviour(id: BehaviourId): Probe<unknown> {
  return async (context) => {
    const { values, isNamed, defaultValue } = definitionOf(id);
    const names = Object.keys(Object(defaultValue));
    const value = isNamed
      ? await askEach(context, names, probes[id] as (name: string) => Probe<unknown>)
      : await (probes[id] as Probe<unknown>)(context);
    // For a long value, zod would report every error.
    const { error } = values.safeParse(requireShort(value));
    if (error === undefined) return value;
    const expected = error.issues[0]?.message ?? 'a value of the behaviour';
    throw new Inexpressible(`expected ${expected}, got another value`);
  };
}

/** Runs a probe for each of several names, without those that are blocked. @throws Blocked if all are */
async function askEach(
  context: ProbeContext,
  names: readonly string[],
  probeOf: (name: string) => Probe<unknown>,
): Promise<Record<string, unknown>> {
  const valuesByName: Record<string, unknown> = {};
  let missing: Blocked | undefined;
  for (const name of names) {
    try {
      valuesByName[name] = await probeOf(name)(context);
    } catch (exception) {
      if (!(exception instanceof Blocked)) throw exception;
      missing ??= exception;
    }
  }
  if (Object.keys(valuesByName).length === 0 && missing !== undefined) throw missing;
  return valuesByName;
}
