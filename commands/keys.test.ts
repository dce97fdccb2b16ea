import { expect, test } from 'vitest';
import { serveHttp } from '../target/servers.test-support.ts';
import { runCommand } from '../tools/command-line.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

const key = 'secret-key-1234567';
/** A key that the commands also send, to see that it is refused. */
const cutKey = key.slice(0, -1);

test.each([
  ['check', []],
  ['learn', ['--out', temporaryFile('dialect.json')]],
  ['compare', []],
])('%s shows no key that is almost the right one, if a target sends it', async (command, rest) => {
  const target = await serveHttp((_, response) => {
    response.writeHead(302, { location: `/login?key=${cutKey}` }).end();
  });
  const args = ['--base-url', `${target.origin}/api`, '--api-key', key, ...rest];
  const { stdout, stderr } = await runCommand(command, ...args);
  expect(stdout).toContain('No operation of the interface was found');
  expect(stdout + stderr).not.toContain(cutKey);
});
