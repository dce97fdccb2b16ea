#!/usr/bin/env node
import { ArgumentError } from './commands/arguments.ts';
import { serveCommand, serveUsage } from './commands/serve.ts';
import { version } from './package.json' with { type: 'json' };

const commands: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  serve: serveCommand,
};

const usage = `Usage: ${serveUsage}
livestream-mock --version
livestream-mock --help
`;

async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined || [name, ...args].includes('--help')) {
    process.stdout.write(usage);
  } else if (name === '--version') {
    process.stdout.write(`${version}\n`);
  } else {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) {
      const known = Object.keys(commands).join(' or ');
      throw new ArgumentError(`command: expected ${known}, got "${name}"`);
    }
    await command(args);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof ArgumentError)) throw error;
  process.stderr.write(`livestream-mock: ${error.message}\n`);
  process.exitCode = 3;
});
