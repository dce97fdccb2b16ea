import type { Dialect } from '../interface/dialect/dialect.ts';
import type { FaultReport } from './faults/fault.ts';
import type { Responder } from './http/app.ts';
import { createService, type Service } from './http/service.ts';
import { andThen } from './http/settle.ts';
import type { VariantEvidence } from './journal/evidence.ts';
import { publicUrl } from './messages/public-url.ts';
import { type MockOptions, type MockParts, readOptions } from './mock-options.ts';
import type { Operator } from './service/operator.ts';
import { createHandle, type World } from './service/testers/world-handle.ts';
import type { OpenWorld } from './service/world.ts';
import { acceptsKey, expectedKey, homeKeyOf } from './state/api-keys.ts';
import type { IngestAddresses } from './state/ingest.ts';

/** A stateful mock of the live streaming service. */
export interface Mock {
  /** The service's response to a request. It never throws. */
  fetch(request: Request): Promise<Response>;
  /**
   * The world of an API key, to control from code. Default: that of {@link Mock.apiKey}.
   * @throws TypeError if the key is not accepted, Problem 429 if the mock is full.
   */
  world(apiKey?: string): Promise<World>;
  /**
   * The worlds that were opened so far, one for each API key. With `kept`, those of the given keys and of the store
   * are opened first, unless other processes share the store.
   */
  worlds(options?: { readonly kept?: boolean }): Promise<World[]>;
  /** The faults that the mock was made with, and how often each has matched, in all worlds and across resets. */
  faults(): FaultReport[];
  /** What the variants of the mock have changed so far. A variant that changed nothing was not tried. */
  evidence(): Promise<VariantEvidence>;
  /** The option `variant`, if it was given. */
  readonly variant: string | undefined;
  /** The path of the interface, from the origin. */
  readonly prefix: string;
  /** An accepted key: the first of the given keys, or `test-demo`. */
  readonly apiKey: string;
  /** Whether any key of the form `test-…` is accepted, so that {@link Mock.apiKey} is not a secret. */
  readonly openKeys: boolean;
  /** The option `mediaOrigin`, if it was given. */
  readonly mediaOrigin: string | undefined;
  /** The dialect that the mock was made with. */
  readonly dialect: Dialect | undefined;
  /**
   * Tells the mock at which origin an adapter serves it, for the media addresses in a {@link World}, and where encoders
   * and cameras go live, for testers.
   */
  servedAt(origin: string, ingest?: IngestAddresses): void;
}

/**
 * Makes a mock of the service, in Node or in a browser.
 *
 * @throws TypeError for an unknown option, RangeError for a value out of its range, in one sentence.
 * @example
 * ```ts
 * import { createMock } from 'livestream-mock';
 *
 * const mock = createMock();
 * const response = await mock.fetch(
 *   new Request('http://livestream.test/api/stream', {
 *     method: 'POST',
 *     headers: { authorization: 'Bearer test-demo', 'content-type': 'application/json' },
 *     body: JSON.stringify({ name: 'Harbour camera' }),
 *   }),
 * );
 * console.log(response.status); // 201
 * ```
 */
export function createMock(options: MockOptions = {}): Mock {
  return makeMock(options, true);
}

/**
 * Makes a mock whose evidence does not say what its variants change. That takes one more response for each of them to
 * every request, which helps nobody who only asks how they behave.
 * @throws as {@link createMock} does.
 */
export function createUnwatchedMock(options: MockOptions): Mock {
  return makeMock(options, false);
}

function makeMock(options: MockOptions, isWatched: boolean): Mock {
  const parts = readOptions(options);
  const { settings, prefix, mediaOrigin, variant } = parts;
  const originAt = (address: string) => publicUrl(new URL(address), mediaOrigin).origin;
  let origin = originAt('http://127.0.0.1:4100');
  const { apiKeys, dialectFile: dialect } = settings;
  const apiKey = homeKeyOf(apiKeys);
  const plain = parts.variants.length === 0 ? createService(parts) : undefined;
  let service = plain ?? loadVariants(parts, isWatched);
  const handleOf = (world: OpenWorld) => createHandle(world, () => origin);
  const respond: Responder = (request) =>
    andThen<Service, Response>(service, (loaded) => loaded.respond(request));
  const mock: Mock = {
    fetch: async (request) => respond(request),
    async world(key = apiKey) {
      if (!acceptsKey(apiKeys, key)) {
        throw new TypeError(`world: expected ${expectedKey(apiKeys)}, got another`);
      }
      const { worlds } = await service;
      const world = await worlds.open(key);
      world.hasHandle = true;
      return handleOf(world);
    },
    async worlds({ kept = false } = {}) {
      const { worlds } = await service;
      return (kept ? await worlds.openKept() : worlds.opened()).map(handleOf);
    },
    faults: settings.matchCounts.reports,
    evidence: async () => (await service).readEvidence(),
    variant,
    prefix,
    apiKey,
    openKeys: apiKeys === undefined,
    mediaOrigin,
    dialect,
    servedAt(address, ingest) {
      Object.assign(settings.ingest, ingest);
      origin = originAt(address);
    },
  };
  responders.set(mock, respond);
  openers.set(mock, async (key = apiKey) => handleOf(await (await service).worlds.open(key)));
  operators.set(mock, settings.operator);
  watchers.set(mock, () => {
    if (plain === undefined || dialect === undefined) return;
    service = loadDialectService(parts, plain.worlds);
  });
  return mock;
}

const openers = new WeakMap<Mock, Mock['world']>();

/** Opens the world of a key like {@link Mock.world}, for an adapter that keeps no handle of it: it may end when idle. */
export function openWorldOf(mock: Mock, apiKey: string): Promise<World> {
  return (openers.get(mock) ?? mock.world)(apiKey);
}

const operators = new WeakMap<Mock, Operator>();

/** Makes a mock report to whoever runs it. */
export function reportTo(mock: Mock, operator: Operator): void {
  Object.assign(operators.get(mock) ?? {}, operator);
}

/** Loads what makes a mock behave like another service. */
function loadVariants(parts: MockParts, isWatched: boolean): Promise<Service> {
  return toleratedUntilUsed(
    import('./variants/running/variant-service.ts').then(({ createVariantService }) =>
      createVariantService(parts, parts.variants, isWatched),
    ),
  );
}

/** Loads what also counts the responses that the dialect of a mock changes. */
function loadDialectService(parts: MockParts, worlds: Service['worlds']): Promise<Service> {
  return toleratedUntilUsed(
    import('./variants/running/dialect-service.ts').then(({ createDialectService }) =>
      createDialectService(parts, worlds),
    ),
  );
}

/** A service that cannot be loaded is an exception for whoever uses the mock. Until then, it must not end the process. */
function toleratedUntilUsed(service: Promise<Service>): Promise<Service> {
  service.catch(() => {});
  return service;
}

const watchers = new WeakMap<Mock, () => void>();

/**
 * Lets the evidence of a mock without variants say from now on how many responses its dialect has changed. The mock
 * answers every request three times for that, so only whoever asks for it should wait so long.
 */
export function watchDialect(mock: Mock): void {
  watchers.get(mock)?.();
}

const responders = new WeakMap<Mock, Responder>();

/** What responds to the requests of a mock, at once if nothing has to wait: for an adapter that sends responses itself. */
export function responderOf(mock: Mock): Responder {
  return responders.get(mock) ?? mock.fetch;
}
