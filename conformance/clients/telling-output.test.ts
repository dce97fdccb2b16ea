import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { tellingOutput } from './telling-output.ts';

/** What `node --test` writes to a pipe for these tests. */
function outputOf(script: string): string {
  const file = temporaryFile(
    'app.test.mjs',
    `import test, { describe } from 'node:test';\nimport assert from 'node:assert/strict';\n${script}`,
  );
  // Otherwise, the inner runner would report to the runner of this test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, ['--test', '--test-reporter=tap', file], {
    env,
  }).stdout.toString();
}

const many = `for (let number = 0; number < 40; number += 1) test('passes ' + number, () => {});`;

test('a failed assertion of node --test is at the end, however many tests pass after it', () => {
  const output = outputOf(
    `test('order', () => assert.equal(1, 2, 'expected the newest first')); ${many}`,
  );
  const lines = tellingOutput(output, 20_000).split('\n').slice(-20);
  expect(lines).toContain('not ok 1 - order');
  expect(lines.join('\n')).toContain('expected the newest first');
  expect(lines.join('\n')).not.toMatch(/passes|node:internal/);
});

test('of a suite with failed tests, only these are shown', () => {
  const inner = `test('inner', () => assert.ok(false, 'no recording')); test('fine', () => {});`;
  const shown = tellingOutput(outputOf(`describe('outer', () => { ${inner} });`), 20_000);
  expect(shown).toMatch(/^ +not ok 1 - inner$/m);
  expect(shown).toContain('no recording');
  expect(shown).not.toMatch(/outer|fine/);
});

test('what a test may fail is not shown as a failure', () => {
  const todo = `test.todo('later', () => assert.fail('not yet')); test('now', () => assert.fail('broken'));`;
  const shown = tellingOutput(outputOf(todo), 20_000);
  expect(shown).toContain('broken');
  expect(shown).not.toContain('not yet');
});

test('every failed test keeps its name and its message, however much it says', () => {
  const long = Array.from({ length: 50 }, (_, index) => `    detail ${index}`);
  const output = ['not ok 1 - a', '  ---', '  message: first', ...long, '  ...', 'not ok 2 - b'];
  const shown = tellingOutput(output.join('\n'), 20_000).split('\n');
  expect(shown).toHaveLength(18);
  expect(shown.slice(0, 2)).toEqual(['not ok 1 - a', '  message: first']);
  expect(shown.slice(-2)).toEqual(['  …', 'not ok 2 - b']);
});

test('comments after a failed test belong to it, as with bats', () => {
  const output = ['1..2', 'not ok 1 lists', "#   `[ $first = newest ]' failed", 'ok 2 creates'];
  expect(tellingOutput(output.join('\n'), 20_000)).toBe(output.slice(1, 3).join('\n'));
});

test('what else was written comes before the failed tests', () => {
  const output = ['TAP version 13', '# starting', 'not ok 1 - a', 'ok 2 - b', 'server: 500'];
  expect(tellingOutput(output.join('\n'), 20_000)).toBe('# starting\nserver: 500\nnot ok 1 - a');
});

test('colours are left out', () => {
  const output = '\u001b[31m\u001b[1mAssertionError\u001b[22m: expected 2\u001b[39m';
  expect(tellingOutput(output, 20_000)).toBe('AssertionError: expected 2');
});

test('any other output is kept as it is, up to the length', () => {
  expect(tellingOutput('ok\n1 failed\n', 20_000)).toBe('ok\n1 failed\n');
  expect(tellingOutput('123456', 3)).toBe('456');
  expect(tellingOutput('not ok 1 - abc', 3)).toBe('abc');
});
