import { createReadStream } from 'node:fs';
import { closest } from 'fastest-levenshtein';
import { type WorldName, worldNames } from '../fixtures/worlds.ts';
import type { Dialect } from '../interface/dialect.ts';
import { addressNotice, banner, dialectNotice, jsonBanner } from '../mocks/adapters/node/banner.ts';
import type { MockServer } from '../mocks/adapters/node/http-server.ts';
import type { Fault } from '../mocks/faults/effects/effects.ts';
import { createMock, type Mock } from '../mocks/mock.ts';
import { mostStreams } from '../mocks/mock-options.ts';
import type { Snapshot } from '../mocks/service/snapshot.ts';
import { createStateReader } from '../mocks/service/state-lines.ts';
import { largestRecords } from '../mocks/state/limits.ts';
import {
  ArgumentError,
  asOptions,
  type OptionValues,
  readOptions,
  readWhole,
} from './arguments.ts';
import { readDialect } from './dialect-file.ts';
import { readFault, unusedFaults } from './faults.ts';
import { listen } from './listen.ts';
import { serveOptions } from './options.ts';
import { type CommandProcess, type Output, write } from './process.ts';
import { createStatusLine, type StatusLine } from './status-line.ts';
import { type OpenedStore, openStore } from './store.ts';

type Values = OptionValues<typeof serveOptions>;

/** `livestream-mock serve`: serves a mock until a signal comes. @throws ArgumentError */
export async function serveCommand(args: string[], own: CommandProcess): Promise<number> {
  const values = readOptions(args, serveOptions);
  if (values.break === 'list') return printMutants(own.stdout);
  const status = createStatusLine(own.stderr);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) own.signals.once(signal, resolve);
  });
  stopped.then(status.end);
  const served = await Promise.race([startMock(values, status, own), stopped]);
  if (served === undefined) return 0;
  const { mock, server, store } = served;
  if (values.json) own.stderr.write(dialectNotice(mock, values) + addressNotice(server));
  const facts = { ...values, data: store?.address };
  const said = values.json ? jsonBanner(mock, server) : banner(mock, server, facts);
  if (await write(own.stdout, said)) {
    await Promise.race([openWorlds(served, values['api-key']), stopped]);
    await stopped;
  }
  return stopServing(served, own.stderr);
}

/** A mock that is served. */
interface Served {
  readonly mock: Mock;
  readonly server: MockServer;
  readonly store: OpenedStore | undefined;
  /** What new worlds are made from. */
  readonly world: WorldName | Snapshot;
}

/** Starts what the options say. @throws ArgumentError */
async function startMock(values: Values, status: StatusLine, own: CommandProcess): Promise<Served> {
  const port = readWhole('--port', values.port, 0, 65_535);
  const faults = values.fault.map(readFault);
  const dialect =
    values.dialect === undefined ? undefined : await readDialect('--dialect', values.dialect);
  const maxImport = readWhole('--max-import', values['max-import'], 1, 100_000) * 1024 * 1024;
  const world = await readWorld(values.world, maxImport);
  const store = await openStore(values, status, own.stderr);
  const parts = { world, maxImport, faults, dialect, store, status };
  const mock = await breakMock(createMockFrom(values, parts), values.break, own.stderr);
  const server = await listen(mock, {
    host: values.host,
    port,
    controlOrigins: values['control-origin'].map(readControlOrigin),
    ownsProcess: own.ownsProcess,
  });
  return { mock, server, store, world };
}

/** The name of a world, or the exported state in a file. @throws ArgumentError */
async function readWorld(value: string, maxImport: number): Promise<WorldName | Snapshot> {
  const name = worldNames.find((one) => one === value);
  if (name !== undefined) return name;
  try {
    const reader = createStateReader(maxImport);
    for await (const chunk of createReadStream(value)) await reader.add(chunk);
    return reader.end();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'the file does not exist' : message.replace(/^body: /, '');
    const expected = `one of ${worldNames.join(', ')}, or a file with an exported state`;
    throw new ArgumentError(`option --world: expected ${expected}; ${value}: ${reason}`);
  }
}

/** Makes the worlds of the given keys, or reads them from the store, before the first request, where that takes a while. */
async function openWorlds({ mock, store, world }: Served, given: readonly string[]): Promise<void> {
  // Of a store that others use too, it takes only worlds for which a request comes.
  if (store?.hold !== undefined) return;
  const isLarge =
    world === 'crowded' || typeof world === 'object' || ((await store?.names()) ?? []).length > 0;
  if (!isLarge) return;
  for (const apiKey of mock.openKeys ? [mock.apiKey] : given) {
    // A world without room for it is refused when a request asks for it.
    await mock.world(apiKey).catch(() => {});
  }
}

/** Returns the exit status: 1 where changes could not be stored. */
async function stopServing({ server, mock, store }: Served, stderr: Output): Promise<number> {
  await server.close();
  const lost = await store?.close().then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (lost !== undefined) stderr.write(`livestream-mock: ${lost}\n`);
  for (const line of await unusedFaults(mock)) stderr.write(`${line}\n`);
  return lost === undefined ? 0 : 1;
}

/** What a mock is made from beside the values of options. */
interface MockParts {
  readonly world: WorldName | Snapshot;
  readonly maxImport: number;
  readonly faults: readonly Fault[];
  readonly dialect: Dialect | undefined;
  readonly store: OpenedStore | undefined;
  readonly status: StatusLine;
}

function createMockFrom(values: Values, { status, faults, ...given }: MockParts): Mock {
  const { 'api-key': apiKeys, 'recording-delay': delay, 'media-origin': mediaOrigin } = values;
  const maxRecords = readWhole('--max-records', values['max-records'], 1, largestRecords);
  const streams = values.streams === undefined ? undefined : readStreams(values, maxRecords);
  return asOptions(() =>
    createMock({
      world: given.world,
      seed: values.seed,
      prefix: values.prefix,
      now: Date.now,
      ...(faults.length > 0 && { faults }),
      maxRecords,
      maxImport: given.maxImport,
      progress(done, all) {
        const percent = Math.floor((100 * done) / all);
        status.show(done < all ? `preparing the world: ${percent} %` : '');
      },
      ...(given.dialect && { dialect: given.dialect }),
      ...(delay !== undefined && { recordingDelay: delay }),
      ...(given.store && { store: given.store }),
      ...(mediaOrigin !== undefined && { mediaOrigin }),
      ...(apiKeys.length > 0 && { apiKeys }),
      ...(streams !== undefined && { streams }),
    }),
  );
}

async function printMutants(stdout: Output): Promise<number> {
  const { brokenRules } = await import('../conformance/mutants/break-fetch.ts');
  const lines = Object.entries(brokenRules).map(
    ([name, rule]) => `${name}: breaks ${rule}
`,
  );
  await write(stdout, lines.join(''));
  return 0;
}

/** The mock with the rule broken that the mutant breaks; without a name, as it is. */
async function breakMock(mock: Mock, name: string | undefined, stderr: Output): Promise<Mock> {
  if (name === undefined) return mock;
  const { breakFetch, brokenRules } = await import('../conformance/mutants/break-fetch.ts');
  const rule = Object.hasOwn(brokenRules, name) ? brokenRules[name] : undefined;
  if (rule === undefined) {
    const nearest = closest(name, Object.keys(brokenRules));
    throw new ArgumentError(
      `option --break: expected the name of a mutant, perhaps ${nearest}, got "${name}"; --break list prints all names`,
    );
  }
  stderr.write(`broken on purpose: ${name} breaks ${rule}
`);
  return { ...mock, fetch: breakFetch(name, mock.fetch) };
}

function readStreams({ streams = '', world }: Values, maxRecords: number): number {
  if (world === 'crowded') return readWhole('--streams', streams, 1, mostStreams(maxRecords));
  throw new ArgumentError(`option --streams: expected --world crowded beside it, got ${world}`);
}

function readControlOrigin(origin: string): string {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw new ArgumentError(
    `option --control-origin: expected a scheme, host and port such as http://localhost:5173, got "${origin}"`,
  );
}
