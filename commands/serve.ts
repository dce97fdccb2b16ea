import {
  addressNotice,
  banner,
  breachNotice,
  jsonBanner,
  variantNotice,
} from '../mocks/adapters/node/banner.ts';
import {
  type MockServer,
  type StartOptions,
  startServer,
} from '../mocks/adapters/node/http-server.ts';
import { createLog, type Log, logForms } from '../mocks/adapters/node/log.ts';
import { faultSchema } from '../mocks/faults/schema.ts';
import { validate } from '../mocks/messages/validate.ts';
import { createMock, type Mock, reportTo } from '../mocks/mock.ts';
import { parseDuration } from '../mocks/state/duration.ts';
import { defaultMaxRecords, largestRecords } from '../mocks/state/limits.ts';
import { fileStore } from '../mocks/stores/file.ts';
import { redisStore } from '../mocks/stores/redis.ts';
import { type VariantText, variantNames } from '../mocks/variants/families.ts';
import { readVariants } from '../mocks/variants/read-variants.ts';
import { parseReviewedJson } from '../text/reviewed-file.ts';
import { visibleJson } from '../text/visible.ts';
import { readNamedDialect, withName } from './files.ts';
import { asOrigin, asText, integer, oneOf } from './option-values.ts';
import { flag, type OptionValues, onlyDefined, optional, preset, repeatable } from './options.ts';
import { type Command, type CommandProcess, type Output, write } from './process.ts';
import { ArgumentError, readArguments, refuseTogether } from './read-arguments.ts';
import { readWorld } from './read-world.ts';

const portOrNone = integer(0, 65_535);
const rtmp = optional('[PORT]', 'off; 1935 without PORT', 'accept RTMP on this port', portOrNone);
const records = integer(1, largestRecords);
const defaultRecords = String(defaultMaxRecords);

const options = {
  port: preset('N', '4100', 'port to listen on; 0 picks a free one', portOrNone),
  host: preset('ADDRESS', '127.0.0.1', 'address to listen on', asText),
  prefix: preset('PATH', '/api', 'path of the interface; / for the root', String),
  world: preset('NAME', 'demo', 'empty, demo, crowded, or a state file', withName(readWorld)),
  streams: optional('N', '1000', 'number of streams in the crowded world', records),
  maxRecords: preset('N', defaultRecords, 'max streams and sessions across all keys', records),
  maxImport: preset('MIB', '64', 'largest state that can be imported, in MiB', integer(1, 100_000)),
  seed: preset('TEXT', 'livestream-mock', 'same seed and key give the same ids', asText),
  apiKey: repeatable('KEY', 'any test-… key', 'accept only this key; repeatable', asText),
  controlOrigin: repeatable('URL', 'none', 'let this origin use the control API', asOrigin),
  dialect: optional('FILE', 'none', 'use this dialect: a file or a name', readNamedDialect),
  recordingDelay: optional('T', "the dialect's, or 1s", 'time until a recording is ready', asText),
  data: optional('FILE', 'in memory', 'keep the worlds in this file', asText),
  store: optional('URL', '', 'keep them in this Redis, which servers can share', asText),
  idle: optional('T', 'never', 'end worlds that nobody uses for this long', parseDuration),
  mediaOrigin: optional('URL', "the request's", 'origin of the URLs it hands out', asText),
  rtmp: { ...rtmp, bare: '1935' },
  whip: flag('let browsers go live over WHIP; viewers see a test card'),
  whipHost: optional('ADDRESS', "--host's", 'receive their media here', asText),
  fault: repeatable('JSON', '', 'inject this fault into every world; repeatable', (text) =>
    validate(faultSchema, parseReviewedJson(text)),
  ),
  variant: optional(
    'NAME',
    '',
    'act as another conforming service; --variant list lists all',
    readVariant,
  ),
  break: optional('MUTANT', '', 'break one rule; --break list lists them all', readMutant),
  log: optional('FORM', 'notices only', 'write a line per request: json or text', oneOf(logForms)),
  json: flag('print the addresses as one line of JSON'),
};

type Values = OptionValues<typeof options>;

/** `livestream-mock serve`: serves a mock until a signal arrives. */
export const serveCommand: Command = {
  synopsis: 'serve [options]',
  needsArguments: false,
  options,
  run: serve,
};

async function serve(args: string[], host: CommandProcess): Promise<number> {
  const values = await readArguments(args, options);
  refuseTogether(values, [['data', 'store']]);
  const listed = listOf(values);
  if (listed !== undefined) {
    await write(host.stdout, listed.map((line) => `${line}\n`).join(''));
    return 0;
  }
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) host.signals.once(signal, resolve);
  });
  const served = await Promise.race([startMock(values, host), stopped]);
  if (served === undefined) return 0;
  const { mock, server, store } = served;
  const variant = values.variant?.lines ?? [];
  const dialect = values.dialect?.file;
  const facts = { world: values.world.file, dialect, variant, data: store?.address };
  if (values.json) {
    host.stderr.write(variantNotice(variant) + breachNotice(mock) + addressNotice(server));
  }
  const text = values.json ? jsonBanner(mock, server) : banner(mock, server, facts);
  if (await write(host.stdout, text)) await stopped;
  return stopServing(served);
}

/** The lines of the list that was asked for instead of a server; `undefined` if none was. */
function listOf({ break: mutant, variant }: Values): string[] | undefined {
  if (mutant?.name === 'list') {
    return Object.entries(mutant.rulesBroken).map(([name, rule]) => `${name}: breaks ${rule}`);
  }
  return variant?.isList ? variant.lines : undefined;
}

type Served = Awaited<ReturnType<typeof startMock>>;

/** Starts a mock with the given options. @throws ArgumentError if they do not fit together, or it cannot listen. */
async function startMock(values: Values, { stderr, ownsProcess }: CommandProcess) {
  const { host, port, rtmp, whip, whipHost, prefix, seed, streams, maxRecords } = values;
  const {
    apiKey: apiKeys,
    fault: faults,
    idle,
    recordingDelay,
    mediaOrigin,
    controlOrigin,
  } = values;
  const maxImport = values.maxImport * 1024 * 1024;
  const { file, content: world } = values.world;
  if (streams !== undefined && world !== 'crowded') {
    throw new ArgumentError(`option --streams: needs --world crowded, got ${file}`);
  }
  const log = createLog((line) => stderr.write(line), { form: values.log, apiKeys });
  const store = await openStore(values, log);
  const dialect = values.dialect?.content;
  const variant = values.variant?.text as VariantText | undefined;
  const passedOn = {
    streams,
    prefix,
    seed,
    store,
    idle,
    recordingDelay,
    mediaOrigin,
    dialect,
    variant,
  };
  const mockOptions = onlyDefined({ ...passedOn, world, maxRecords, maxImport, apiKeys, faults });
  const unbroken = createMock({ now: Date.now, ...mockOptions });
  reportTo(unbroken, log.operator);
  const mock = breakMock(unbroken, values, stderr);
  const controlOrigins = controlOrigin ?? [];
  const plan = { host, port, rtmp, whip, whipHost, controlOrigins, ownsProcess, log };
  return { mock, server: await listen(mock, plan), store, log };
}

/** Opens what `--data` or `--store` names. @throws OptionError if it cannot be opened. */
async function openStore({ data, store, idle = 0 }: Values, log: Log) {
  if (store !== undefined) {
    return redisStore(store, {
      idle,
      onLoss: (message) => log.tell({ kind: 'store-loss', message }),
      onOutage: (message, isBack) => {
        log.tell({ kind: isBack ? 'store-back' : 'store-away', message });
      },
    });
  }
  if (data === undefined) return undefined;
  const opened = await fileStore(data);
  const { notice: message } = opened;
  if (message !== undefined) log.tell({ kind: 'store-repaired', message });
  return { ...opened, address: data };
}

/** Serves a mock. @throws ArgumentError if it cannot listen. */
async function listen(mock: Mock, plan: StartOptions): Promise<MockServer> {
  try {
    return await startServer(mock, plan);
  } catch (exception) {
    const { code, message } = exception as NodeJS.ErrnoException;
    if (code === undefined) throw exception;
    const isForeign = code === 'EADDRNOTAVAIL';
    const advice = isForeign ? 'give an address of this machine' : '--port 0 picks a free port';
    throw new ArgumentError(`options --host, --port: cannot listen there: ${message}; ${advice}`);
  }
}

/** Stops the server. Returns the exit status: 1 if changes could not be saved. */
async function stopServing({ server, mock, store, log }: Served): Promise<number> {
  await server.close();
  let status = 0;
  await store?.close().catch(({ message }: Error) => {
    status = 1;
    log.tell({ kind: 'change-lost', message });
  });
  for (const { fault, matched } of mock.faults()) {
    const message = `unused fault: ${visibleJson(JSON.stringify(fault))}`;
    if (matched === 0) log.tell({ kind: 'fault-unused', message });
  }
  return status;
}

/** Reads the name of a mutant, or `list`. @throws Error for any other name. */
async function readMutant(name: string) {
  const mutants = await import('../conformance/mutants/catalogue.ts');
  if (name === 'list' || Object.hasOwn(mutants.rulesBroken, name)) return { name, ...mutants };
  throw new Error(`expected the name of a mutant, got "${name}"; --break list lists them all`);
}

/** Reads the names of variants, joined by `+`, or `list`. @throws Error for any other name, and for contradictions. */
async function readVariant(text: string) {
  const { describeVariants } = await import('../mocks/variants/running/combine.ts');
  const isList = text === 'list';
  return { text, isList, lines: describeVariants(isList ? variantNames : readVariants(text)) };
}

/** Breaks the rule of the mock that `--break` names. */
function breakMock(mock: Mock, { break: mutant }: Values, stderr: Output): Mock {
  if (mutant === undefined) return mock;
  const { name, rulesBroken, breakFetch } = mutant;
  stderr.write(`broken on purpose: ${name} breaks ${rulesBroken[name]}\n`);
  return { ...mock, fetch: breakFetch(name, mock.fetch) };
}
