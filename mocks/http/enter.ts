import type { Endpoint, ErrorIdOf } from '../../interface/dialect/errors.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { acceptOrRefuse } from '../service/accept-or-refuse.ts';
import type { OpenWorld } from '../service/world.ts';
import { acceptsKey, expectedKey, homeKeyOf } from '../state/api-keys.ts';
import { type Arrival, noteBody, noteWorld } from './arrival.ts';
import type { EntryStages, Plan, ReadingStage } from './plan.ts';
import { readBody } from './read-body.ts';

/** What a request brings with it, once nothing is in its way. */
export interface Entered {
  readonly world: OpenWorld;
  /** The value of the JSON in its body. */
  readonly json: unknown;
}

/** What the path of a request names, and checks that run before it waits. Of these, only whether they throw counts. */
export interface Previews {
  /** The id in the path; empty if there is none. */
  readonly id: string;
  read(stage: ReadingStage, json: unknown): void;
  find(world: OpenWorld): void;
}

/**
 * Opens the world of a request's key and reads its body, in the order of the dialect. A request without a body, whose world is
 * open, does not wait for anything.
 * @throws Problem if the key, the body or what is previewed is refused
 */
export function enter(
  arrival: Arrival,
  plan: Plan,
  previews: Previews,
  stages: EntryStages = plan.entry[openingStage(arrival)],
): Entered | Promise<Entered> {
  if (stages.beforeWorld.length > 0 || stages.afterWorld.length > 0) {
    return enterInOrder(arrival, plan, previews, stages);
  }
  const world = openWorld(arrival, plan, previews.id);
  const note = (opened: OpenWorld): Entered => {
    noteWorld(arrival.notes, opened);
    return { world: opened, json: undefined };
  };
  return world instanceof Promise ? world.then(note) : note(world);
}

async function enterInOrder(
  arrival: Arrival,
  plan: Plan,
  previews: Previews,
  stages: EntryStages,
): Promise<Entered> {
  const { request, notes } = arrival;
  let json: unknown;
  const read = async (): Promise<void> => {
    json = await readBody(request, plan, (bytes) => noteBody(notes, bytes));
  };
  for (const stage of stages.beforeWorld) {
    if (stage === 'body') await read();
    else previews.read(stage, json);
  }
  const opened = openWorld(arrival, plan, previews.id);
  const world = opened instanceof Promise ? await opened : opened;
  noteWorld(notes, world);
  for (const stage of stages.afterWorld) {
    if (stage === 'body') await read();
    else if (stage === 'id') previews.find(world);
    else previews.read(stage, json);
  }
  return { world, json };
}

/**
 * Refuses pages of other origins if the dialect does, once their key is accepted. Any page may use playback.
 * @throws Problem 403, or as the dialect says.
 */
export function refuseOrigin({ request, dialect }: Arrival, operation?: Endpoint): void {
  const { requests, preflights } = dialect.behaviours['cors.origins'];
  const refusal = request.method === 'OPTIONS' ? preflights : requests;
  if (typeof refusal !== 'object' || operation === 'retrievePlayback') return;
  const origin = request.headers.get('origin');
  if (origin === null) return;
  const expected = 'an origin that is allowed here, or none';
  const got = describeValue(origin);
  throw new Problem('forbidden', { path: 'header origin', expected, got }).refusedAs(refusal);
}

/** Which check opens the world: that of a key, or that of a missing one. */
export function openingStage({ request }: Arrival): 'key' | 'no-key' {
  return request.headers.get('authorization') ? 'key' : 'no-key';
}

/**
 * Opens the world of the key. If a dialect accepts that the key is missing or unknown, it is the world that has the id in the
 * path, as a service finds what a playback id names for everybody, or else the home world.
 * @throws Problem 401, or as the dialect says; 429 and 503 if it cannot be opened. No text shows a key.
 */
export function openWorld(
  { app, request }: Arrival,
  { cells }: Plan,
  id = '',
): OpenWorld | Promise<OpenWorld> {
  const { worlds, settings } = app;
  const { apiKeys } = settings;
  const { error, got, knownKey } = judgeKey(request.headers.get('authorization') ?? '', apiKeys);
  if (error !== undefined) {
    acceptOrRefuse(cells, error, () => {
      const expected = `"Bearer <API key>" with ${expectedKey(apiKeys)}`;
      return new Problem('unauthorized', { path: 'header authorization', expected, got });
    });
  }
  const open = (key: string) => worlds.openAlready(key) ?? worlds.open(key);
  if (knownKey !== undefined) return open(knownKey);
  const openHome = () => open(homeKeyOf(apiKeys));
  if (id === '') return openHome();
  return worlds.find((world) => hasId(world, id)).then((world) => world ?? openHome());
}

/** Whether a world has what an id names, which may be a playback id. */
export function hasId({ state: { records } }: OpenWorld, id: string): boolean {
  const record = records.stream(id) ?? records.session(id) ?? records.streamByPlaybackId(id);
  return record !== undefined;
}

/** What is in a header that has an API key. */
interface JudgedKey {
  /** What is wrong with it; absent if it is accepted. */
  readonly error?: ErrorIdOf<'key'>;
  /** What came instead of a key as it should be sent, in words that do not show it. */
  readonly got: string;
  /** The key, if it is one that this mock accepts. */
  readonly knownKey?: string;
}

function judgeKey(header: string, apiKeys: readonly string[] | undefined): JudgedKey {
  if (header === '') return { error: 'key:none', got: 'nothing' };
  const [, scheme = '', spaces = '', key] = /^(bearer)( +)(\S+) *$/i.exec(header) ?? [];
  if (key === undefined) return judgeMalformed(header, apiKeys);
  if (acceptsKey(apiKeys, key)) {
    if (scheme !== 'Bearer') {
      return { error: 'key:scheme-case', got: `a known key after "${scheme}"`, knownKey: key };
    }
    return spaces === ' '
      ? { got: 'a known key', knownKey: key }
      : { error: 'key:spaces', got: 'a known key after several spaces', knownKey: key };
  }
  const got = 'an unknown key';
  if (apiKeys?.some((known) => known.startsWith(key))) return { error: 'key:cut', got };
  const isExtended = apiKeys?.some((known) => key.startsWith(known));
  return { error: isExtended ? 'key:extended' : 'key:wrong', got };
}

/** A dialect may accept a key without the word `Bearer`, or with another one. */
function judgeMalformed(header: string, apiKeys: readonly string[] | undefined): JudgedKey {
  if (/^bearer\s*$/i.test(header)) return { error: 'key:empty', got: '"Bearer" without a key' };
  const error = header.includes(' ') ? 'key:scheme' : 'key:bare';
  const key = header.split(/ +/).at(-1) ?? '';
  if (!acceptsKey(apiKeys, key)) return { error, got: 'a malformed value' };
  const where = error === 'key:bare' ? 'without "Bearer"' : 'after something other than "Bearer"';
  return { error, got: `a known key ${where}`, knownKey: key };
}
