import { expect, onTestFinished, test } from 'vitest';
import { runCommand, startServing } from '../tools/command-line.test-support.ts';

test('a mock that is broken on purpose does not conform, for that reason', async () => {
  const server = await startServing(
    '--world',
    'empty',
    '--break',
    'record-answers-200',
    '--recording-delay',
    '10ms',
  );
  onTestFinished(() => server.stop().then(() => {}));
  const { status, stdout } = await runCommand(
    ...['check', '--base-url', server.baseUrl, '--control-url', server.controlUrl],
    ...['--api-key', 'test-check'],
  );
  expect(stdout).toContain('expected status 204 and no body, got 200');
  expect(status).toBe(1);
});

test('an unknown mutant is refused, and the nearest is named', async () => {
  const broken = ['--break', 'record-answer-200'];
  const { status, stderr } = await runCommand('serve', '--port', '0', ...broken);
  expect(stderr).toContain(
    'option --break: expected the name of a mutant, perhaps record-answers-200, got "record-answer-200"; --break list prints all names\n',
  );
  expect(status).toBe(3);
});

test('--break list prints the name of every mutant, and which rule it breaks', async () => {
  const { status, stdout } = await runCommand('serve', '--break', 'list');
  expect(stdout).toMatch(/^record-answers-200: ./m);
  expect(status).toBe(0);
});
