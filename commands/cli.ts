#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { write } from './process.ts';

const { stdin, stdout, stderr, env } = process;

// A reader such as `head`, or the terminal, may close before everything is written.
for (const output of [stdout, stderr]) output.on('error', () => {});
// A process that ends before the command does must not exit with 0.
process.exitCode = 3;

const host = { stdin, stdout, stderr, env, signals: process, ownsProcess: true };
const status = await runCommandLine(process.argv.slice(2), host);
for (const output of [stdout, stderr]) await write(output, '');
// An interrupted request may still be pending.
process.exit(status);
