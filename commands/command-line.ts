import { version } from '../package.json' with { type: 'json' };
import { visible } from '../text/visible.ts';
import { describeOptions } from './options.ts';
import { type Command, type CommandProcess, describeInternalError, write } from './process.ts';
import { ArgumentError, asArgumentError } from './read-arguments.ts';

/** Commands are loaded on demand, so the server starts without loading the suite. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  check: async () => (await import('./check.ts')).checkCommand,
  learn: async () => (await import('./learn.ts')).learnCommand,
  compare: async () => (await import('./compare.ts')).compareCommand,
  'check-client': async () => (await import('./check-client.ts')).checkClientCommand,
};

/** Runs `livestream-mock` with its arguments; resolves to the exit status. */
export async function runCommandLine(
  argv: readonly string[],
  host: CommandProcess,
): Promise<number> {
  try {
    return await dispatch(argv, host);
  } catch (exception) {
    const wrong = asArgumentError(exception);
    const isExpected = wrong instanceof ArgumentError;
    // The message of a mistake may quote a file, and a terminal would obey control characters in it.
    const text = isExpected
      ? `livestream-mock: ${visible(wrong.message)}`
      : describeInternalError(exception);
    await write(host.stderr, `${text}\n`);
    return 3;
  }
}

async function dispatch([name, ...args]: readonly string[], host: CommandProcess): Promise<number> {
  const load = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if ([name, ...ownArguments(args)].some((arg) => arg === '--help' || arg === '-h')) {
    const explained = load === undefined ? Object.values(commands) : [load];
    const usage = usageOf(await Promise.all(explained.map((load) => load())));
    const general = '\nlivestream-mock --version\nlivestream-mock [command] --help\n';
    await write(host.stdout, load === undefined ? usage + general : usage);
    return 0;
  }
  if (name === '--version') {
    await write(host.stdout, `${version}\n`);
    return 0;
  }
  if (load !== undefined) {
    const { synopsis, needsArguments, run } = await load();
    if (args.length > 0 || !needsArguments) return run(args, host);
    throw new ArgumentError(`${name}: expected livestream-mock ${synopsis}, got no options`);
  }
  const commandNames = Object.keys(commands).join(', ');
  const typedName = name === undefined ? 'none' : `"${name}"`;
  throw new ArgumentError(
    `command: expected one of ${commandNames}, got ${typedName}; livestream-mock --help explains them`,
  );
}

/** The arguments before `--`; those after it belong to another program. */
function ownArguments(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

function usageOf(explained: readonly Command[]): string {
  const usages = explained.map(({ synopsis, options, notes }) =>
    [`livestream-mock ${synopsis}`, describeOptions(options), notes]
      .filter((section) => section)
      .join('\n\n'),
  );
  return `Usage:\n\n${usages.join('\n\n')}\n`;
}
