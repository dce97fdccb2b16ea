import { demoRecords } from '../fixtures/demo-world.ts';
import { type WorldName, worldNames } from '../fixtures/worlds.ts';
import { type DialectText, readBundledDialects } from '../interface/dialect/bundled-dialects.ts';
import {
  type AnyDialect,
  currentDialect,
  type Dialect,
  dialectSchema,
} from '../interface/dialect/dialect.ts';
import { resolveDialect } from '../interface/dialect/resolve.ts';
import { orNearest } from '../text/nearest-name.ts';
import { isWebOrigin, optionError } from '../text/option-error.ts';
import { shortestKey } from '../text/redact.ts';
import { type Fault, maxFaults, type UnableEffects } from './faults/fault.ts';
import { createMatchCounts, refuseUnable } from './faults/faults.ts';
import { faultSchema } from './faults/schema.ts';
import { ownPaths, whipPath } from './http/routes.ts';
import { createJournalRoom } from './journal/journal.ts';
import { describeValue } from './messages/problem.ts';
import { validate } from './messages/validate.ts';
import {
  type ExportedState,
  exportedStateSchema,
  refuseUnusableState,
} from './service/exported-state.ts';
import type { WorldSettings } from './service/world.ts';
import { countSaved } from './state/change.ts';
import { parseDuration } from './state/duration.ts';
import { defaultMaxImport, defaultMaxRecords, largestRecords } from './state/limits.ts';
import type { Store } from './stores/store.ts';
import type { VariantText } from './variants/families.ts';
import { readVariants } from './variants/read-variants.ts';

/** The options of a mock. All are optional. */
export interface MockOptions {
  /**
   * What each world contains at first; default `empty`. An exported state, or a report with its journal and faults,
   * also sets the clock and the dialect.
   */
  world?: WorldName | ExportedState;
  /** The number of streams in the `crowded` world; default 1000. */
  streams?: number;
  /** The same seed and API key give the same ids; default `livestream-mock`. */
  seed?: string | number;
  /** The accepted API keys; default any of the form `test-…`. */
  apiKeys?: readonly string[];
  /** The path of the interface, from the origin; default `/api`. */
  prefix?: string;
  /**
   * Scheme, host and port in every address that the mock hands out, in media addresses above all: where players and
   * clients reach this mock itself, if it is behind TLS, or behind a balancer, which players cannot use because they
   * send no key. Default: in a response, the origin of its request; in a `World`, the one at which the mock is served,
   * or else `http://127.0.0.1:4100`.
   */
  mediaOrigin?: string;
  /**
   * How one service behaves in what the interface leaves open: a dialect, or the name of a bundled one, such as `livepeer`;
   * several names are joined by `+`. Default: as the mock's documentation says.
   */
  dialect?: AnyDialect | DialectText;
  /**
   * The time from the end of a session until its recording is ready: milliseconds, or a text such as `10m`. Default:
   * that of the variant or the dialect, or `1s`.
   */
  recordingDelay?: number | string;
  /**
   * The time in milliseconds since 1970, such as `Date.now`. By default, time stands still at the beginning of 2026,
   * and moves only when a world's clock is advanced.
   */
  now?: () => number;
  /** Keeps the worlds, such as `browserStore()` or `await fileStore(path)`. By default they end with the mock. */
  store?: Store;
  /**
   * A world ends if nobody asks for it for so long: milliseconds, or a text such as `7d`, by the clock in `now`. It ends
   * in the store, too. Default: no world ends by itself.
   */
  idle?: number | string;
  /** Maximum number of streams and sessions in all worlds and snapshots together; default 400,000. */
  maxRecords?: number;
  /** Maximum size of an exported state that `PUT /_mock/state` reads, in bytes; default 64 MiB. */
  maxImport?: number;
  /**
   * Behaves like another service that keeps the interface, such as `oldest-first`, or like several at once, joined by
   * `+`: for tests of an app, which should survive each of them. A variant that is unknown, or contradicts another one,
   * is refused with a RangeError. Default: none, as with an empty text.
   */
  variant?: VariantText | '' | undefined;
  /** The faults of every world from its beginning; default none. */
  faults?: readonly Fault[];
  /** The effects that the integration cannot produce, each with the reason. Such faults are refused. */
  unable?: UnableEffects;
}

const optionNames = {
  world: true,
  streams: true,
  seed: true,
  apiKeys: true,
  prefix: true,
  mediaOrigin: true,
  dialect: true,
  recordingDelay: true,
  now: true,
  store: true,
  idle: true,
  maxRecords: true,
  maxImport: true,
  variant: true,
  faults: true,
  unable: true,
} as const satisfies Record<keyof MockOptions, true>;

/** What a mock is made from, once its options have been read. */
export type MockParts = ReturnType<typeof readOptions>;

/**
 * Checks options, and fills in the defaults.
 * @throws TypeError for an unknown option, RangeError for a value of the wrong type or out of its range.
 */
export function readOptions(options: MockOptions) {
  refuseUnknownOptions(options, optionNames);
  const { store, maxImport = defaultMaxImport, mediaOrigin, variant, recordingDelay } = options;
  if (variant !== undefined && typeof variant !== 'string') {
    throw wrong('variant', 'the name of a variant such as oldest-first', describeValue(variant));
  }
  refuseOutside('maxImport', maxImport, Number.MAX_SAFE_INTEGER);
  if (store !== undefined) refuseNoStore(store);
  return {
    settings: readSettings(options),
    /** Whether neither a dialect nor a variant decides when a recording is ready. */
    hasOwnDelay: recordingDelay !== undefined,
    // Under any dialect, even this one, the keys of objects come in another order.
    withEmptyDialect: settingsOfDialect({ dialect: 3 }, options),
    prefix: readPrefix(options.prefix ?? '/api'),
    mediaOrigin: mediaOrigin === undefined ? undefined : readOrigin('mediaOrigin', mediaOrigin),
    store,
    maxImport,
    variant: variant === '' ? undefined : variant,
    variants: variant ? readVariants(variant) : [],
  };
}

function readSettings(options: MockOptions): WorldSettings {
  const { streams = 1000, maxRecords = defaultMaxRecords } = options;
  const { now, unable = {}, seed = 'livestream-mock', apiKeys } = options;
  if (apiKeys !== undefined) refuseBadKeys(apiKeys);
  if (now !== undefined && typeof now !== 'function') {
    throw wrong('now', 'a function', describeValue(now));
  }
  const exported = typeof options.world === 'object' ? options.world?.dialect : undefined;
  const unchecked = options.dialect ?? exported;
  const dialectFile = unchecked && asOption('dialect', () => readDialect(unchecked));
  const world = readStart(options, dialectFile);
  refuseOutside('maxRecords', maxRecords, largestRecords);
  if (options.streams !== undefined) refuseOutside('streams', streams, maxRecords);
  const least = estimatedRecords(world, streams);
  const enough = `at least ${least}, for the streams and sessions of the world`;
  if (least > maxRecords) throw wrong('maxRecords', enough, maxRecords);
  const faults = readFaults(options);
  return {
    world,
    streams,
    time: now === undefined ? { now: () => frozenTime } : { now, alarm },
    faults,
    matchCounts: createMatchCounts(faults),
    unable,
    seed: String(seed),
    idForms: { stream: 'uuid', session: 'uuid' },
    ...settingsOfDialect(dialectFile, options),
    recordCount: { counts: new Set(), maxRecords },
    journalRoom: createJournalRoom(),
    apiKeys,
    ingest: {},
    idle: options.idle === undefined ? undefined : readIdle(options.idle),
    operator: {},
  };
}

/** The settings that a dialect decides about, unless an option does. */
function settingsOfDialect(
  dialectFile: Dialect | undefined,
  { recordingDelay }: Pick<MockOptions, 'recordingDelay'>,
): Pick<WorldSettings, 'dialectFile' | 'dialect' | 'recordingDelay'> {
  const dialect = resolveDialect(dialectFile);
  const delay = recordingDelay ?? dialect.behaviours['time.ready'];
  return {
    dialectFile,
    dialect,
    recordingDelay: asOption('recordingDelay', () => parseDuration(delay)),
  };
}

function readIdle(idle: number | string): number {
  const milliseconds = asOption('idle', () => parseDuration(idle));
  if (milliseconds >= shortestIdle) return milliseconds;
  throw wrong('idle', 'at least a minute', describeValue(idle));
}

/** A world that ends sooner would end while somebody thinks about the next request. */
const shortestIdle = 60_000;

/** @throws Error for an unknown name, or if the dialect is invalid */
function readDialect(given: AnyDialect | DialectText): Dialect {
  if (typeof given === 'string') return readBundledDialects(given);
  return currentDialect(validate(dialectSchema, given));
}

/** About how many records a new world has. In the crowded world, a stream has two sessions on average. */
function estimatedRecords(world: WorldName | ExportedState, streams: number): number {
  if (typeof world === 'object') return countSaved(world);
  if (world === 'crowded') return 3 * streams;
  return world === 'demo' ? demoRecords : 0;
}

function wrong(option: string, expected: string, got: unknown): Error {
  return optionError(RangeError, option, `expected ${expected}, got ${got}`);
}

const frozenTime = Date.UTC(2026, 0, 1);

/** Calls back after a number of real milliseconds. A mock whose time stands still has no alarm. */
function alarm(milliseconds: number, ring: () => void): () => void {
  const timer = setTimeout(ring, milliseconds);
  return () => clearTimeout(timer);
}

/** The name of a world, or an exported one with which every world can start. Given faults replace its faults. */
function readStart(
  { world = 'empty', faults, unable = {} }: MockOptions,
  dialect: Dialect | undefined,
): WorldName | ExportedState {
  if (typeof world === 'object' && world !== null) {
    return asOption('world', () => {
      const exported = validate(exportedStateSchema, structuredClone(world));
      refuseUnusableState(exported, { dialectFile: dialect, unable });
      const { faults: _, ...withoutFaults } = exported;
      return faults === undefined ? exported : withoutFaults;
    });
  }
  if (worldNames.includes(world)) return world;
  const expected = `one of ${worldNames.join(', ')}, or an exported state`;
  throw wrong('world', expected, describeValue(world));
}

function refuseOutside(option: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw wrong(option, `a whole number from 1 to ${max}`, describeValue(value));
}

function readFaults({ faults = [], unable = {} }: MockOptions): Fault[] {
  if (faults.length > maxFaults) throw wrong('faults', `at most ${maxFaults}`, faults.length);
  return faults.map((fault, index) =>
    asOption(`faults[${index}]`, () => {
      const checked = validate(faultSchema, fault);
      refuseUnable(checked, unable);
      return checked;
    }),
  );
}

/**
 * Reads the value of an option.
 * @throws RangeError that names the option.
 */
function asOption<Value>(option: string, read: () => Value): Value {
  try {
    return read();
  } catch (exception) {
    throw optionError(RangeError, option, (exception as Error).message);
  }
}

/** @throws RangeError for anything but the scheme, host and port of a website. */
function readOrigin(option: string, origin: string): string {
  if (isWebOrigin(origin)) return origin;
  const expected =
    'an http or https origin such as http://127.0.0.1:4100, without a path or a slash at the end';
  throw wrong(option, expected, `"${origin}"`);
}

function readPrefix(prefix: string): string {
  const trimmed = prefix.replace(/\/+$/, '');
  const [, first] = trimmed.split('/');
  if (first !== undefined && (ownPaths.has(first) || `/${first}` === whipPath)) {
    throw wrong('prefix', 'a path that the mock does not use itself', `"${prefix}"`);
  }
  if (trimmed === '' || /^(\/(?!\.+(\/|$))[\w.~-]+)+$/.test(trimmed)) return trimmed;
  throw wrong('prefix', 'a path such as /api', `"${prefix}"`);
}

/** Refuses invalid keys. Keys are secrets, so the error does not show them. */
function refuseBadKeys(apiKeys: readonly string[]): void {
  const isKey = (key: unknown) =>
    typeof key === 'string' && key.length >= shortestKey && /^[!-~]+$/.test(key);
  if (Array.isArray(apiKeys) && apiKeys.length > 0 && apiKeys.every(isKey)) return;
  const expected = `at least one key, each of ${shortestKey} or more visible ASCII characters`;
  throw wrong('apiKeys', expected, 'another value');
}

function refuseNoStore(store: Store): void {
  const methods = ['open', 'append', 'names'] as const;
  if (methods.every((name) => typeof store?.[name] === 'function')) return;
  const got = store instanceof Promise ? 'a promise; await it' : describeValue(store);
  const expected = `an object with the methods ${methods.join(', ')}, such as await fileStore(path)`;
  throw wrong('store', expected, got);
}

/**
 * Refuses options that are not an object, and keys that are not options.
 * @throws TypeError that suggests the most similar option, if there is one.
 */
export function refuseUnknownOptions<Options extends object>(
  options: Options,
  known: Readonly<Record<keyof Options, true>>,
): void {
  const refuse = (reason: string): never => {
    throw optionError(TypeError, 'options', reason);
  };
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    refuse(`expected an object, got ${describeValue(options)}`);
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.keys(known);
  const got = describeValue(unknown) + orNearest(unknown, names);
  refuse(`expected known keys (${names.join(', ')}), got ${got}`);
}
