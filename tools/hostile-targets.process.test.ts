import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostileTargets, serveHostile, type Tool } from './hostile-targets.test-support.ts';
import { byNight } from './nightly.test-support.ts';
import { startProcess } from './process.test-support.ts';
import { temporaryFolder } from './temporary.test-support.ts';

/** The options that each tool gets in addition to the target. */
const tools: Readonly<Record<Tool, (folder: string) => string[]>> = {
  check: () => [],
  learn: (folder) => ['--out', join(folder, 'dialect.json')],
  compare: () => ['--time', '500ms'],
};

/** By day, one of each kind. */
const some = [
  'sends status 999 with a list',
  'fails at random',
  'packs its body fifty times',
  'sends a bomb after it has created',
  'gives ids that are objects',
  'answers with 3 MiB of one text',
];
const targets = byNight(Object.keys(hostileTargets), some);
const attacks = targets.flatMap((does) =>
  Object.entries(tools).map(([tool, options]) => ({ tool: tool as Tool, does, options })),
);

/**
 * Writes the peak memory of a process to a file, in kilobytes. On Linux, `maxRSS` would include the memory of
 * the process that started it.
 */
const measure = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  const status = '/proc/self/status';
  const peak = existsSync(status)
    ? /VmHWM:\\s*(\\d+)/.exec(readFileSync(status, 'utf8'))[1]
    : process.resourceUsage().maxRSS;
  writeFileSync(process.env.PEAK, String(peak));
});`;
const preload = `data:text/javascript,${encodeURIComponent(measure)}`;
const maxMemory = 300 * 1024;

// It must end, within its memory limit, without a stack trace or escape sequences, and with 0 only if the target's
// behaviour is legal.
test.each(attacks)(
  '$tool withstands a target that $does',
  async ({ tool, does, options }) => {
    const { baseUrl, controlUrl, mayPass } = await serveHostile(does);
    const folder = temporaryFolder();
    const addresses = ['--base-url', baseUrl, '--control-url', controlUrl];
    const settings = ['--api-key', 'test-hostile', '--timeout', '500', '--patience', '300'];
    const peak = join(folder, 'peak');
    const env = { PEAK: peak, NODE_OPTIONS: `--import=${preload}` };
    const command = startProcess([tool, ...addresses, ...settings, ...options(folder)], env);
    const { status, stdout, stderr } = await command.finished;
    expect(stderr).not.toMatch(/\n {4}at |internal error/);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(Number(readFileSync(peak, 'utf8'))).toBeLessThan(maxMemory);
    expect([...(mayPass.includes(tool) ? [0] : []), 1, 2, 4], stdout.slice(-500)).toContain(status);
  },
  180_000,
);
