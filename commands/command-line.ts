import { version } from '../package.json' with { type: 'json' };
import { ArgumentError } from './arguments.ts';
import { describeFault } from './interruption.ts';
import { type Command, type CommandProcess, write } from './process.ts';
import { usageOf } from './usage.ts';

/** A command is loaded when it is called, so that the server starts without the suite. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  check: async () => (await import('./check.ts')).checkCommand,
  learn: async () => (await import('./learn.ts')).learnCommand,
  compare: async () => (await import('./compare.ts')).compareCommand,
  render: async () => (await import('./render.ts')).renderCommand,
};

/** Runs `livestream-mock` with its arguments; resolves to its exit status. */
export async function runCommandLine(
  argv: readonly string[],
  own: CommandProcess,
): Promise<number> {
  try {
    return await dispatch(argv, own);
  } catch (error) {
    const isExpected = error instanceof ArgumentError;
    const text = isExpected ? `livestream-mock: ${error.message}` : describeFault(error);
    await write(own.stderr, `${text}\n`);
    return 3;
  }
}

async function dispatch(
  [name = '--help', ...args]: readonly string[],
  own: CommandProcess,
): Promise<number> {
  if ([name, ...args].includes('--help')) {
    await write(own.stdout, usageOf(name));
    return 0;
  }
  if (name === '--version') {
    await write(own.stdout, `${version}\n`);
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) {
    const known = Object.keys(commands).join(', ');
    throw new ArgumentError(`command: expected one of ${known}, got "${name}"`);
  }
  const command = await load();
  return command(args, own);
}
