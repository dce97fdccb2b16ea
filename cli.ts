#!/usr/bin/env node
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closest } from 'fastest-levenshtein';
import type { WorldName } from './fixtures/worlds.ts';
import { banner, jsonBanner } from './mocks/doors/banner.ts';
import { type MockServer, startServer } from './mocks/doors/http-server.ts';
import { createMock } from './mocks/mock.ts';
import { version } from './package.json' with { type: 'json' };

const usage = `Usage: livestream-mock serve [options]

  --port N             port to listen on; 0 picks a free one    4100
  --host ADDRESS       address to listen on                     127.0.0.1
  --prefix PATH        path of the interface                    /api
  --world NAME         empty, demo or crowded                   demo
  --streams N          streams in the crowded world             1000
  --seed TEXT          same seed and key, same identifiers      livestream-mock
  --api-key KEY        accept exactly this key; repeatable      any test-… key
  --recording-delay T  from stop until ready, such as 30s       1s
  --json               print where it listens as one JSON line
  --version            print the version
  --help               print this
`;

const serveOptions = {
  port: { type: 'string', default: '4100' },
  host: { type: 'string', default: '127.0.0.1' },
  prefix: { type: 'string', default: '/api' },
  world: { type: 'string', default: 'demo' },
  streams: { type: 'string' },
  seed: { type: 'string', default: 'livestream-mock' },
  'api-key': { type: 'string', multiple: true },
  'recording-delay': { type: 'string', default: '1s' },
  json: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const satisfies ParseArgsConfig['options'];

/** Arguments that cannot be followed: one sentence, exit status 3. */
class ArgumentError extends Error {}

async function main(args: string[]): Promise<void> {
  const { values, command } = readArguments(args);
  if (values.help || (command === undefined && !values.version)) {
    process.stdout.write(usage);
    return;
  }
  if (values.version) {
    process.stdout.write(`${version}\n`);
    return;
  }
  const mock = createMockFrom(values);
  const server = await listen(values.host, readPort(values.port), mock);
  process.stdout.write(
    values.json
      ? jsonBanner(mock, server)
      : banner(mock, server, values.world, values['api-key'] === undefined),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => server.close().then(() => process.exit(0)));
  }
}

type Values = ReturnType<typeof parse>['values'];

function parse(args: string[]) {
  return parseArgs({ args, options: serveOptions, allowPositionals: true });
}

function readArguments(args: string[]): { values: Values; command: string | undefined } {
  const { values, positionals } = explainFaults(args);
  const [command, ...rest] = positionals;
  if (command !== undefined && command !== 'serve') {
    throw new ArgumentError(`command: expected serve, got "${command}"`);
  }
  if (rest.length > 0) {
    throw new ArgumentError(`arguments: expected options only after serve, got "${rest[0]}"`);
  }
  return { values, command };
}

function explainFaults(args: string[]): ReturnType<typeof parse> {
  try {
    return parse(args);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const option = /'(-[^' ]*)/.exec(message)?.[1] ?? '';
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const known = Object.keys(serveOptions).map((name) => `--${name}`);
      throw new ArgumentError(
        `option ${option}: expected a known option, perhaps ${closest(option, known)}`,
      );
    }
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
      throw new ArgumentError(`option ${option}: ${valueFault(option)}`);
    }
    throw error;
  }
}

function valueFault(option: string): string {
  const { type } = Object.entries(serveOptions).find(([name]) => `--${name}` === option)?.[1] ?? {};
  return type === 'boolean' ? 'expected no value, got one' : 'expected a value, got none';
}

function createMockFrom(values: Values): ReturnType<typeof createMock> {
  const apiKeys = values['api-key'];
  const streams =
    values.streams === undefined ? undefined : readStreams(values.streams, values.world);
  try {
    return createMock({
      world: values.world as WorldName,
      seed: values.seed,
      prefix: values.prefix,
      recordingDelay: values['recording-delay'],
      now: Date.now,
      ...(apiKeys && { apiKeys }),
      ...(streams !== undefined && { streams }),
    });
  } catch (error) {
    throw new ArgumentError(`option ${optionOf((error as Error).message)}`);
  }
}

/** `recordingDelay: expected …` becomes `--recording-delay: expected …`. */
function optionOf(message: string): string {
  return message.replace(/^\w+/, (name) =>
    name === 'apiKeys' ? '--api-key' : `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`,
  );
}

function readStreams(text: string, world: string): number {
  if (world !== 'crowded') {
    throw new ArgumentError(`option --streams: expected --world crowded beside it, got ${world}`);
  }
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ArgumentError(`option --streams: expected a whole number, got "${text}"`);
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new ArgumentError(`option --port: expected a whole number from 0 to 65535, got "${text}"`);
}

async function listen(
  host: string,
  port: number,
  mock: ReturnType<typeof createMock>,
): Promise<MockServer> {
  try {
    return await startServer(mock, { port, host, ownsProcess: true });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const explain = listenFaults[code as keyof typeof listenFaults];
    throw new ArgumentError(
      explain?.(host, port) ?? `cannot listen on ${host}, port ${port} (${code})`,
    );
  }
}

const listenFaults = {
  EADDRINUSE: (host: string, port: number) =>
    `option --port: port ${port} of ${host} is in use; choose another, or 0 for any free one`,
  EACCES: (_host: string, port: number) =>
    `option --port: this user may not listen on port ${port}; choose one from 1024 up`,
  EADDRNOTAVAIL: (host: string) => `option --host: ${host} is no address of this machine`,
  ENOTFOUND: (host: string) => `option --host: ${host} is not known`,
} as const;

main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof ArgumentError)) throw error;
  process.stderr.write(`livestream-mock: ${error.message}\n`);
  process.exitCode = 3;
});
