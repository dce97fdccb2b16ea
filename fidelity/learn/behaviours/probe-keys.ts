import {
  type Behaviours,
  documentedKeys,
  recordingKeys,
  type Samples,
  streamPlaces,
} from '../../../interface/dialect/behaviours.ts';
import { isSameJson, type Json } from '../../../interface/json.ts';
import { sdkFields } from '../../../interface/types.ts';
import { pathSegment } from '../../../target/requests/call.ts';
import { unlessPrevented } from '../../../target/requests/failure.ts';
import type { JsonObject } from '../../../target/requests/read-response.ts';
import { get, recordedSessionsPath, streamPath } from '../../../target/streams/stream-requests.ts';
import { mapJson, sampleOf, textOf } from '../../json-shapes.ts';
import { itemsIn } from '../../response-items.ts';
import { type WordAt, wordsIn } from '../../word-samples.ts';
import { childOf } from '../probing/known-lists.ts';
import { findById, firstPage } from '../probing/pages.ts';
import { readySession, severalSessions } from '../probing/probed-sessions.ts';
import { anyStream, currentStream, newRecordedStream } from '../probing/probed-streams.ts';
import { need, type Probe, type ProbeContext } from '../probing/prober.ts';
import { spelling } from '../probing/spelling.ts';
import { timeline } from './probe-timeline.ts';

type KeyPlace = keyof Behaviours['keys.by-place'];

/** How many levels of objects a sample shows: a profile of the parent of a session is at the fourth. */
export const sampleLevels = 4;

/** An item as one place shows it, and the same or a similar one as other places do. */
type ItemPair = readonly [here: JsonObject | undefined, elsewhere: JsonObject | undefined];

type ItemAt = Probe<ItemPair>;

/** Where it is not enough to look at a session that is ready. */
const itemsAt = {
  async streamOnceLive(context) {
    const { streamId } = await context.ask(severalSessions);
    const before = await context.ask(anyStream);
    const isOther = before['id'] !== streamId;
    return [isOther ? await currentStream(context, streamId) : undefined, before];
  },
  async streamWhileLive(context) {
    const { stream } = (await context.ask(timeline)).live;
    return [stream, stream && (await currentStream(context, textOf(stream['id'])))];
  },
  async streamRecorded(context) {
    const { id } = await newRecordedStream(context);
    return [await currentStream(context, id), await currentStream(context, await plainId(context))];
  },
  listStreams: (context) => listedAndRetrieved(context),
  async sessionWhileLive({ ask }) {
    const [live] = (await ask(timeline)).live.sessions;
    // As the list in which the live session was seen shows it.
    return [live?.session, live && (await ask(sessionByPlace)).get(live.place)];
  },
} as const satisfies Partial<Record<KeyPlace, ItemAt>>;

const specialItemsAt: Readonly<Partial<Record<KeyPlace, ItemAt>>> = itemsAt;

const plainId: Probe<string> = async ({ ask }) => textOf((await ask(anyStream))['id']);

/** A stream in the list of streams, and retrieved by its id. A long list may show only its first page. */
const listedAndRetrieved: ItemAt = async (context) => {
  const { items } = await firstPage(context, '/stream');
  const listed = items.find((item) => context.target.gate.owns(item['id']) || context.readOnly);
  const id = textOf(listed?.['id'] ?? '');
  return [listed, listed && (await findById(context, [streamPath(id)], id))];
};

/** The same item where keys may be missing, and where it has all of them. */
const itemsThatLack: Readonly<Record<keyof Behaviours['keys.missing'], ItemAt>> = {
  async createStream(context) {
    const created = await context.ask(anyStream);
    return [
      created,
      await findById(context, [streamPath(await plainId(context))], textOf(created['id'])),
    ];
  },
  async listStreams(context) {
    const [listed, retrieved] = await listedAndRetrieved(context);
    const plainKeys: readonly string[] = [...documentedKeys.stream, ...sdkFields];
    const lacksFurther = Object.keys(retrieved ?? {}).some(
      (key) => listed !== undefined && !(key in listed) && !plainKeys.includes(key),
    );
    if (!lacksFurther) return [listed, retrieved];
    // Where a list has rows of its own, it also lacks what only some streams have, unless a row shows that.
    const { items } = await firstPage(context, '/stream');
    const special = await Promise.all(
      (['streamRecorded', 'streamOnceLive'] as const).map(
        async (place) => (await unlessPrevented(itemsAt[place](context)))?.[0],
      ),
    );
    return [Object.assign({}, ...items), Object.assign({}, ...special, retrieved)];
  },
  streamWhileLive: itemsAt.streamWhileLive,
  sessionWhileLive: itemsAt.sessionWhileLive,
};

/** Both items. @throws Blocked if one of them was not seen */
function needBoth(
  [here, elsewhere]: ItemPair,
  kind: string,
): readonly [here: JsonObject, elsewhere: JsonObject] {
  const expected = `a ${kind} that is shown at two places or times`;
  return [need(here, expected), need(elsewhere, expected)];
}

/** How the interface spells the keys of the service. */
async function readSpelling({ ask }: ProbeContext): Promise<(spelled: string) => string> {
  const spellings = Object.entries(await ask(spelling));
  const standardKeys = new Map(spellings.map(([key, spelled]) => [spelled, key]));
  return (spelled) => standardKeys.get(spelled) ?? spelled;
}

/** The keys that a stream or session lacks in one place. */
export function missingKeysOf(name: keyof Behaviours['keys.missing']): Probe<readonly string[]> {
  return async (context) => {
    const items = await itemsThatLack[name](context);
    const [here, elsewhere] = needBoth(items, 'stream or session');
    const standardKeyOf = await readSpelling(context);
    // Other behaviours say when the recording of a session is shown.
    const keysOfOtherBehaviours: readonly string[] =
      name === 'sessionWhileLive' ? recordingKeys : [];
    return Object.keys(elsewhere)
      .filter((key) => !(key in here))
      .map(standardKeyOf)
      .filter((key) => !keysOfOtherBehaviours.includes(key))
      .sort();
  };
}

function sessionAt(place: KeyPlace): ItemAt {
  return async ({ ask }) => {
    const places = await ask(sessionByPlace);
    return [places.size > 1 ? places.get(place) : undefined, await ask(commonSession)];
  };
}

/** A session in the list of streams, where it may be a child with an id of its own; `undefined` if there is none. */
export const listedAmongStreams: Probe<JsonObject | undefined> = async (context) => {
  const { streamId } = await context.ask(severalSessions);
  return childOf(context, streamId);
};

/** One session as each operation shows it. */
const sessionByPlace: Probe<ReadonlyMap<KeyPlace, JsonObject>> = async (context) => {
  const { streamId, recorded } = await context.ask(severalSessions);
  const [id = ''] = recorded;
  const places = new Map<KeyPlace, JsonObject>();
  const paths = [
    ['retrieveSession', `/session/${pathSegment(id)}`],
    ['listSessionsOfStream', recordedSessionsPath(streamId)],
    ['listSessions', '/session'],
    ['sessionAmongStreams', streamPath(id)],
  ] as const;
  for (const [place, path] of paths) {
    const session = await findById(context, [path], id);
    if (session !== undefined) places.set(place, session);
  }
  const child = await context.ask(listedAmongStreams);
  if (child !== undefined) places.set('sessionAmongStreams', child);
  return places;
};

/** A ready session with those of its keys that it shows everywhere. @throws Blocked if there is none */
export const commonSession: Probe<JsonObject> = async ({ ask }) => {
  const { session: ready } = await ask(readySession);
  const places = [...(await ask(sessionByPlace)).values()];
  const common = Object.entries(ready).filter(([key]) => places.every((session) => key in session));
  return Object.fromEntries(common);
};

/** The keys that a stream or session shows at one place only, or there with another type. */
export function keysOfPlace(place: KeyPlace): Probe<Samples> {
  return async (context) => {
    const kind = place in streamPlaces ? 'stream' : 'session';
    const items = await (specialItemsAt[place] ?? sessionAt(place))(context);
    const [here, elsewhere] = needBoth(items, kind);
    const samples = Object.entries(await sampleKeys(context, kind, here));
    const baseline = await sampleKeys(context, kind, elsewhere);
    return Object.fromEntries(
      samples.filter(([key, sample]) => !isSameJson(asFalse(sample), asFalse(baseline[key]))),
    );
  };
}

/** A sample with its booleans made false: of these, only the type counts. */
function asFalse(sample: unknown): Json {
  return mapJson(sample, { leaf: (value) => typeof value !== 'boolean' && value });
}

/** Samples of the keys that the interface does not name, as a stream or a session shows them. */
export async function sampleKeys(
  context: ProbeContext,
  kind: 'stream' | 'session',
  item: JsonObject,
): Promise<Samples> {
  const standardKeyOf = await readSpelling(context);
  // Other items do not show what a client has set.
  const ofClients = isForeign(context) ? sdkFields : [];
  const documented: readonly string[] = [...documentedKeys[kind], ...ofClients];
  const keys = Object.entries(item)
    .map(([key, value]) => [standardKeyOf(key), value] as const)
    .filter(([key]) => !documented.includes(key));
  const wordAt = await context.ask(wordsOf[kind]);
  // In somebody else's objects, such as tags, keys may be data.
  const levels = isForeign(context) ? 1 : sampleLevels;
  const samples = sampleOf(Object.fromEntries(keys), levels, wordAt);
  // Somebody else's stream may be live, which is no default of the service.
  return (isForeign(context) ? asFalse(samples) : samples) as Samples;
}

/** The words of keys with few values, as the items of this run show them. */
const wordsOf: Readonly<Record<'stream' | 'session', Probe<WordAt>>> = {
  stream: (context) => wordsAt(context, '/stream'),
  async session(context) {
    const { streamId } = await context.ask(severalSessions);
    return wordsAt(context, recordedSessionsPath(streamId));
  },
};

async function wordsAt(context: ProbeContext, path: string): Promise<WordAt> {
  const response = await unlessPrevented(context.send(get(path)));
  const items = (response && itemsIn(response)?.items) ?? [];
  const ownItems = items.filter(({ id }) => context.target.gate.owns(id));
  return wordsIn(ownItems, sampleLevels + 1, context.documented);
}

/** Whether the items may be somebody else's. */
function isForeign({ readOnly, provider }: ProbeContext): boolean {
  return readOnly || provider.name === 'given';
}
