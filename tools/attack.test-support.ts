import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { serveHostile, type Tool } from './hostile-targets.test-support.ts';
import { startProcess } from './process.test-support.ts';
import { temporaryFolder } from './temporary.test-support.ts';

/** What each tool is given beside the target. */
const tools: Readonly<Record<Tool, (folder: string) => string[]>> = {
  check: () => [],
  learn: (folder) => ['--out', join(folder, 'dialect.json')],
  compare: () => ['--time', '500ms'],
};

/** Every tool with each of some hostile targets. */
export function attacks(targets: readonly string[]): [tool: Tool, does: string][] {
  const names = Object.keys(tools) as Tool[];
  return targets.flatMap((does) => names.map((tool): [Tool, string] => [tool, does]));
}

/**
 * Writes to a file how many kilobytes a process took at most. On Linux `maxRSS` would count what the process
 * that started it had.
 */
const measure = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  const status = '/proc/self/status';
  const peak = existsSync(status)
    ? /VmHWM:\\s*(\\d+)/.exec(readFileSync(status, 'utf8'))[1]
    : process.resourceUsage().maxRSS;
  writeFileSync(process.env.PEAK, String(peak));
});`;
const maxMemory = 300 * 1024;

/**
 * Runs a tool against a hostile target: it ends, within its memory, without a trace, without a command
 * for a terminal, and never with 0 but where what the target does is legal.
 */
export async function expectWithstands(tool: Tool, does: string): Promise<void> {
  const { baseUrl, controlUrl, mayPass } = await serveHostile(does);
  const folder = temporaryFolder();
  const addresses = ['--base-url', baseUrl, '--control-url', controlUrl];
  const settings = ['--api-key', 'test-hostile', '--timeout', '500', '--patience', '300'];
  const peak = join(folder, 'peak');
  const env = {
    PEAK: peak,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(measure)}`,
  };
  const command = startProcess([tool, ...addresses, ...settings, ...tools[tool](folder)], env);
  const { status, stdout, stderr } = await command.finished;
  expect(stderr).not.toMatch(/\n {4}at |internal error/);
  expect(stdout + stderr).not.toContain('\u001b');
  expect(Number(readFileSync(peak, 'utf8'))).toBeLessThan(maxMemory);
  expect([...(mayPass.includes(tool) ? [0] : []), 1, 2, 4], stdout.slice(-500)).toContain(status);
}
