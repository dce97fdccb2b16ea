import { expectedRecords, type WorldName, worldNames } from '../fixtures/worlds.ts';
import type { Fault } from './faults/effects/effects.ts';
import type { FaultReport } from './faults/fault.ts';
import { createFaultTally } from './faults/faults.ts';
import { refuseUnable, type UnableEffects } from './faults/refuse.ts';
import { faultSchema } from './faults/schema.ts';
import { createApp } from './http/app.ts';
import { shortestKey } from './journal/hide-secrets.ts';
import { createJournalRoom } from './journal/journal.ts';
import { describeValue } from './problems/problem.ts';
import { validate } from './problems/validate.ts';
import { acceptsKey, expectedKey } from './service/api-keys.ts';
import type { WorldSettings } from './service/world.ts';
import { createHandle, type World } from './service/world-handle.ts';
import type { CancelAlarm } from './state/clock.ts';
import { parseDuration } from './state/duration.ts';
import { largestRecords, usualRecords } from './state/limits.ts';
import { createWorlds } from './stores/open-worlds.ts';
import type { Store } from './stores/store.ts';

/** What a mock is made from; every key may be left out. */
export interface MockOptions {
  /** What a world holds at first; `empty` unless given. */
  world?: WorldName;
  /** Number of streams in the `crowded` world; 1000 unless given. */
  streams?: number;
  /** The same seed and API key give the same identifiers; `livestream-mock` unless given. */
  seed?: string | number;
  /** Exactly the accepted API keys; any of the form `test-…` unless given. */
  apiKeys?: readonly string[];
  /** Path of the interface from the origin; `/api` unless given. */
  prefix?: string;
  /**
   * Scheme, host and port in the media addresses that a {@link World} returns; those in answers to
   * requests follow the request. Where the mock is served, or `http://127.0.0.1:4100`, unless given.
   */
  origin?: string;
  /** From the end of a session until its recording is ready: milliseconds or a text; `1s`. */
  recordingDelay?: number | string;
  /**
   * The time in milliseconds since 1970, such as `Date.now`. Unless given, time stands still at
   * the beginning of 2026 and moves when a world's clock is advanced.
   */
  now?: () => number;
  /** Keeps the worlds, such as `browserStore()` or `await fileStore(path)`; they end with the mock unless given. */
  store?: Store;
  /** Most streams and sessions of all worlds and snapshots together; 400,000 unless given. */
  maxRecords?: number;
  /** Told how far a world of many streams is that is made or read: `done` of `all`, in the end all of it. */
  progress?: (done: number, all: number) => void;
  /** What goes wrong in every world from its beginning; nothing unless given. */
  faults?: readonly Fault[];
  /** Effects that the integration cannot produce, each with a reason: such a fault is refused. */
  unable?: UnableEffects;
}

/** A stateful mock of the live streaming service. */
export interface Mock {
  /** Answers one request, as the service would; it never throws. */
  fetch(request: Request): Promise<Response>;
  /**
   * The world of an API key, to be steered from code; unless given, of {@link Mock.apiKey}.
   * @throws TypeError when the key is not accepted.
   */
  world(apiKey?: string): Promise<World>;
  /** The worlds that a key has opened so far. */
  worlds(): Promise<World[]>;
  /** The faults that it was made with, and how often each has matched in any world, across resets. */
  faults(): FaultReport[];
  /** Path of the interface from the origin. */
  readonly prefix: string;
  /** A key that is accepted: the first of those given, or `test-demo`. */
  readonly apiKey: string;
  /** Whether any key of the form `test-…` is accepted, so that {@link Mock.apiKey} is no secret. */
  readonly openKeys: boolean;
  /** Tells the mock the origin at which an adapter serves it, for media addresses in a {@link World}. */
  servedAt(origin: string): void;
}

/**
 * Makes a mock of the service, in Node or in a browser.
 *
 * @throws TypeError or RangeError, in one sentence, for an option out of its range.
 * @example
 * ```ts
 * import { createMock } from 'livestream-mock';
 *
 * const mock = createMock();
 * const answer = await mock.fetch(
 *   new Request('http://livestream.test/api/stream', {
 *     method: 'POST',
 *     headers: { authorization: 'Bearer test-demo', 'content-type': 'application/json' },
 *     body: JSON.stringify({ name: 'Harbour camera' }),
 *   }),
 * );
 * console.log(answer.status); // 201
 * ```
 */
export function createMock(options: MockOptions = {}): Mock {
  refuseUnknown(options);
  const { apiKeys, store } = options;
  let origin = readOrigin(options.origin ?? 'http://127.0.0.1:4100');
  const settings = readSettings(options);
  const prefix = readPrefix(options.prefix ?? '/api');
  const apiKey = apiKeys?.[0] ?? 'test-demo';
  if (apiKeys?.some(({ length }) => length > 0 && length < shortestKey)) {
    throw new TypeError(
      `apiKeys: expected keys of at least ${shortestKey} characters, which a journal can tell from other text, got a shorter one`,
    );
  }
  if (apiKeys?.length === 0 || apiKeys?.some((key) => !/^[!-~]+$/.test(key))) {
    throw new TypeError('apiKeys: expected at least one key, each of visible ASCII characters');
  }

  refuseNoStore(store);
  const worlds = createWorlds({ settings, apiKeys, homeKey: apiKey, store });
  return {
    fetch: createApp({
      prefix,
      apiKeys,
      worlds,
      homeKey: apiKey,
      mostRecords: settings.room.mostRecords,
    }),
    async world(key = apiKey) {
      if (!acceptsKey(apiKeys, key)) {
        throw new TypeError(`world: expected ${expectedKey(apiKeys)}, got another`);
      }
      return createHandle(await worlds.open(key), () => origin);
    },
    async worlds() {
      return worlds.opened().map((world) => createHandle(world, () => origin));
    },
    faults: settings.tally.reports,
    prefix,
    apiKey,
    openKeys: apiKeys === undefined,
    servedAt(address) {
      if (options.origin === undefined) origin = readOrigin(address);
    },
  };
}

const optionNames = {
  world: true,
  streams: true,
  seed: true,
  apiKeys: true,
  prefix: true,
  origin: true,
  recordingDelay: true,
  now: true,
  store: true,
  maxRecords: true,
  progress: true,
  faults: true,
  unable: true,
} as const satisfies Record<keyof MockOptions, true>;

function refuseUnknown(options: MockOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(optionNames, name));
  if (unknown === undefined) return;
  throw new TypeError(
    `options: expected no keys but ${Object.keys(optionNames).join(', ')}, got ${describeValue(unknown)}`,
  );
}

function refuseNoStore(store: Store | undefined): void {
  const methods = ['open', 'append', 'names'] as const;
  if (store === undefined || methods.every((name) => typeof store?.[name] === 'function')) return;
  throw new TypeError(
    `store: expected an object with the methods ${methods.join(', ')}, such as await fileStore(path), got ${describeValue(store)}`,
  );
}

const standstill = Date.UTC(2026, 0, 1);
/** Most streams that a crowded world may have, which has about two sessions for each. */
export function mostStreams(maxRecords: number = usualRecords): number {
  return Math.floor(maxRecords / 4);
}

function readSettings(options: MockOptions): WorldSettings {
  const { world = 'empty', streams = 1000, now, faults = [], unable = {}, progress } = options;
  const { maxRecords = usualRecords } = options;
  if (!worldNames.includes(world)) {
    throw new RangeError(`world: expected one of ${worldNames.join(', ')}, got "${world}"`);
  }
  if (!(Number.isInteger(maxRecords) && maxRecords >= 1 && maxRecords <= largestRecords)) {
    throw new RangeError(
      `maxRecords: expected a whole number from 1 to ${largestRecords}, got ${describeValue(maxRecords)}`,
    );
  }
  if (progress !== undefined && typeof progress !== 'function') {
    throw new TypeError(`progress: expected a function, got ${describeValue(progress)}`);
  }
  const most = mostStreams(maxRecords);
  const isFitting = Number.isInteger(streams) && streams >= 1 && streams <= most;
  if (options.streams !== undefined && !isFitting) {
    throw new RangeError(`streams: expected a whole number from 1 to ${most}, got ${streams}`);
  }
  const expected = expectedRecords(world, streams);
  if (expected > maxRecords) {
    throw new RangeError(
      `maxRecords: expected at least ${expected}, the streams and sessions of a world ${world}, got ${maxRecords}`,
    );
  }
  const valid = faults.map((fault, index) => readFault(fault, index, unable));
  return {
    world,
    streams,
    time: now === undefined ? { now: () => standstill } : { now, alarm },
    faults: valid,
    tally: createFaultTally(valid),
    unable,
    seed: String(options.seed ?? 'livestream-mock'),
    recordingDelay: readDelay(options.recordingDelay ?? '1s'),
    room: { records: 0, mostRecords: maxRecords },
    progress,
    journalRoom: createJournalRoom(),
    secrets: options.apiKeys ?? [],
  };
}

function readFault(fault: Fault, index: number, unable: UnableEffects): Fault {
  try {
    const valid = validate(faultSchema, fault);
    refuseUnable(valid, unable);
    return valid;
  } catch (error) {
    throw new RangeError(`faults[${index}]: ${(error as Error).message}`);
  }
}

/** Rings for real, in milliseconds: only where the time source runs as well. */
function alarm(milliseconds: number, ring: () => void): CancelAlarm {
  const timer = setTimeout(ring, milliseconds);
  return () => clearTimeout(timer);
}

function readOrigin(origin: string): string {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw new RangeError(
    `origin: expected a scheme, host and port such as http://127.0.0.1:4100, got "${origin}"`,
  );
}

function readDelay(delay: number | string): number {
  try {
    return parseDuration(delay);
  } catch (error) {
    throw new RangeError(`recordingDelay: ${(error as Error).message}`);
  }
}

/** Where the control API, the media and the OpenAPI document lie. */
export const ownPaths: readonly string[] = ['_mock', 'hls', 'recordings', 'openapi.json'];

function readPrefix(prefix: string): string {
  const trimmed = prefix.replace(/\/+$/, '');
  const [, first] = trimmed.split('/');
  if (first !== undefined && ownPaths.includes(first)) {
    throw new RangeError(
      `prefix: expected a path of its own, got "${prefix}", which is the mock's`,
    );
  }
  if (trimmed === '' || /^(\/(?!\.+(\/|$))[\w.~-]+)+$/.test(trimmed)) return trimmed;
  throw new RangeError(`prefix: expected a path such as /api, got "${prefix}"`);
}
