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
import { createStatusLine, type StatusLine } from './status-line.ts';
import { type OpenedStore, openStore } from './store.ts';

type Values = OptionValues<typeof serveOptions>;

/** `livestream-mock serve`: serves a mock until a signal comes. @throws ArgumentError */
export async function serveCommand(args: string[]): Promise<void> {
  const values = readOptions(args, serveOptions);
  if (values.break === 'list') return printMutants();
  const port = readWhole('--port', values.port, 0, 65_535);
  const faults = values.fault.map(readFault);
  const dialect =
    values.dialect === undefined ? undefined : await readDialect('--dialect', values.dialect);
  const maxImport = readWhole('--max-import', values['max-import'], 1, 100_000) * 1024 * 1024;
  const world = await readWorld(values.world, maxImport);
  const status = createStatusLine(process.stderr);
  let stop = async (): Promise<number> => 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      status.end();
      stop().then((code) => process.exit(code));
    });
  }
  const store = await openStore(values, status);
  const parts = { world, maxImport, faults, dialect, store, status };
  const mock = await breakMock(createMockFrom(values, parts), values.break);
  const server = await listen(mock, {
    host: values.host,
    port,
    controlOrigins: values['control-origin'].map(readControlOrigin),
    ownsProcess: true,
  });
  stop = () => stopServing(server, mock, store);
  if (values.json) process.stderr.write(dialectNotice(mock, values) + addressNotice(server));
  const facts = { ...values, data: store?.address };
  process.stdout.write(values.json ? jsonBanner(mock, server) : banner(mock, server, facts));
  // Of a store that others use too, it takes only worlds for which a request comes.
  if (store?.hold !== undefined) return;
  const isLarge =
    world === 'crowded' || typeof world === 'object' || ((await store?.names()) ?? []).length > 0;
  if (isLarge) await openWorlds(mock, mock.openKeys ? [mock.apiKey] : values['api-key']);
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

/** Makes the worlds of the given keys, or reads them from the store, before the first request. */
async function openWorlds(mock: Mock, apiKeys: readonly string[]): Promise<void> {
  for (const apiKey of apiKeys) {
    // A world without room for it is refused when a request asks for it.
    await mock.world(apiKey).catch(() => {});
  }
}

/** Returns the exit status: 1 where changes could not be stored. */
async function stopServing(server: MockServer, mock: Mock, store?: OpenedStore): Promise<number> {
  await server.close();
  const lost = await store?.close().then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (lost !== undefined) process.stderr.write(`livestream-mock: ${lost}\n`);
  for (const line of await unusedFaults(mock)) process.stderr.write(`${line}\n`);
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

async function printMutants(): Promise<void> {
  const { mutants } = await import('../conformance/mutants/break-fetch.ts');
  const lines = Object.entries(mutants).map(
    ([name, { description }]) => `${name}: ${description}\n`,
  );
  process.stdout.write(lines.join(''));
}

/** The mock with the rule broken that the mutant breaks; without a name, as it is. */
async function breakMock(mock: Mock, name: string | undefined): Promise<Mock> {
  if (name === undefined) return mock;
  const { breakFetch, mutants } = await import('../conformance/mutants/break-fetch.ts');
  const mutant = Object.hasOwn(mutants, name) ? mutants[name] : undefined;
  if (mutant === undefined) {
    const nearest = closest(name, Object.keys(mutants));
    throw new ArgumentError(
      `option --break: expected the name of a mutant, perhaps ${nearest}, got "${name}"; --break list prints all names`,
    );
  }
  process.stderr.write(`broken on purpose: ${mutant.description}\n`);
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
