#!/usr/bin/env node
import { version } from '../package.json' with { type: 'json' };
import { ArgumentError } from './arguments.ts';
import { describeFault } from './interruption.ts';
import { usageOf } from './usage.ts';

type Command = (args: string[]) => Promise<void>;

/** A command is loaded when it is called, so that the server starts without the suite. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  check: async () => (await import('./check.ts')).checkCommand,
  learn: async () => (await import('./learn.ts')).learnCommand,
  compare: async () => (await import('./compare.ts')).compareCommand,
  render: async () => (await import('./render.ts')).renderCommand,
};

async function main([name = '--help', ...args]: string[]): Promise<void> {
  if ([name, ...args].includes('--help')) {
    process.stdout.write(usageOf(name));
  } else if (name === '--version') {
    process.stdout.write(`${version}\n`);
  } else {
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (load === undefined) {
      const known = Object.keys(commands).join(', ');
      throw new ArgumentError(`command: expected one of ${known}, got "${name}"`);
    }
    const command = await load();
    await command(args);
  }
}

// A reader such as `head`, or the terminal, may be gone before everything is written.
process.stdout.on('error', () => process.exit());
process.stderr.on('error', () => {});

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExpected = error instanceof ArgumentError;
  const text = isExpected ? `livestream-mock: ${error.message}` : describeFault(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 3;
});
