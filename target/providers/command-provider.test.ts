import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../conformance/run-suite.ts';
import { temporaryFolder } from '../../tools/temporary.test-support.ts';
import { Blocked } from '../requests/failure.ts';
import { serveMock } from '../servers.test-support.ts';
import { commandProvider } from './command-provider.ts';
import type { Encoder } from './provider.ts';

const apiKey = 'test-command';
const { signal: stopSignal } = new AbortController();
const node = JSON.stringify(process.execPath);

test('a command that goes live by itself makes the sessions of a run', async () => {
  const { baseUrl, controlUrl } = await serveMock();
  const command = `test -n "$STREAM_KEY" && test "$MEDIA_FILE" = /media.mp4 && curl -sfd '{"duration": 8}' -H 'authorization: Bearer ${apiKey}' -H 'content-type: application/json' ${controlUrl}/streams/$STREAM_ID/start`;
  const provider = { ingestCommand: { command, mediaFile: '/media.mp4' } };
  const report = await run({ baseUrl, apiKey, provider, patience: 500 });
  expect(report.provider).toBe('command');
  const open = report.results.filter(
    ({ outcome }) => !['pass', 'noted', 'untestable'].includes(outcome),
  );
  // A command cannot start a session that lasts until it is stopped.
  for (const { outcome } of open) expect(['blocked', 'untested']).toContain(outcome);
  const passed = report.results.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['RECORD-5', 'RECORD-6', 'LIST-3', 'MEDIA-7']));
});

test.each([`'; touch x; '`, `"; touch x; "`, '$(touch x)', '\ntouch x\n', '--data=@/etc/passwd'])(
  'nothing that a target sends is run as a command, such as the stream key %j',
  async (streamKey) => {
    const folder = temporaryFolder();
    const script = 'require("fs").writeFileSync("said", JSON.stringify(process.env))';
    const command = `cd '${folder}' && echo $STREAM_KEY "$STREAM_KEY" $STREAM_ID > echo && ${node} -e '${script}'`;
    const stream = { id: streamKey, streamKey, fields: {} };
    await providerOf(command).broadcast(stream, 1);
    expect(readdirSync(folder).sort()).toEqual(['echo', 'said']);
    const said = JSON.parse(readFileSync(join(folder, 'said'), 'utf8'));
    expect(said).toMatchObject({ STREAM_KEY: streamKey, STREAM_ID: streamKey, MEDIA_FILE: '/m' });
  },
);

test.each<[does: string, command: string, message: RegExp, patience?: number]>([
  ['fails', 'exit 3', /the ingest command failed with status 3$/],
  [
    'does not exist',
    'no-such-command-here',
    /failed with status 127; it wrote .*no-such-command-here/,
  ],
  [
    'writes why it fails',
    "printf 'a\\nb\\n\\r\\n\\033[31mc\\rd \\n' >&2; exit 1",
    /failed with status 1; it wrote a \/ b \/ \\u001b\[31mc \/ d $/,
  ],
  [
    'writes more than is shown',
    'i=0; while [ $i -lt 9999 ]; do echo 12345678901234567890 >&2; i=$((i+1)); done; exit 1',
    /failed with status 1; it wrote (1234567890\d+ \/ ){4}\d+$/,
  ],
  [
    'writes why and leaves a child',
    'echo a >&2; sleep 60 & exit 1',
    /failed with status 1; it wrote a$/,
    50,
  ],
  ['is killed', 'kill -9 $$', /the ingest command failed with SIGKILL$/],
  ['hangs', 'sleep 60', /the ingest command took more than 100 ms and was ended$/, 50],
  [
    'is late, and has time to end what it started',
    "trap 'echo cleaned >&2; exit 1' TERM; sleep 60 & wait",
    /was ended; it wrote cleaned$/,
    1_000,
  ],
])(
  'going live is blocked, and says why, if a command %s',
  async (_, command, message, patience) => {
    await expectBlocked(providerOf(command, patience), 'key', message);
  },
);

test.each<[streamKey: string | undefined, message: RegExp]>([
  ['a'.repeat(4_000_000), /did not start: .*E2BIG/],
  ['a\0b', /did not start: .*null bytes/],
  [undefined, /needs a stream key, but the target gave none$/],
])('going live is blocked if no environment can hold the stream key %.9s', async (key, message) => {
  await expectBlocked(providerOf('true'), key, message);
});

function providerOf(command: string, patience = 20_000): Encoder {
  return commandProvider({ command, mediaFile: '/m', patience, stopSignal });
}

async function expectBlocked(
  provider: Encoder,
  streamKey: string | undefined,
  message: RegExp,
): Promise<void> {
  const broadcast = provider.broadcast({ id: 'a', streamKey, fields: {} }, 0.05);
  await expect(broadcast).rejects.toThrow(Blocked);
  await expect(broadcast).rejects.toThrow(/^the ingest command/);
  await expect(broadcast).rejects.toThrow(message);
}

test('the error output of a failed command is in the report, without the key', async () => {
  const { baseUrl } = await serveMock();
  const command = `echo 'no route to ${apiKey}' >&2; exit 4`;
  const provider = { ingestCommand: { command, mediaFile: '/media.mp4' } };
  const report = await run({ baseUrl, apiKey, provider, patience: 100, only: ['RECORD-5'] });
  expect(report.results[0]?.message).toMatch(
    /failed with status 4; it wrote no route to \[API key\]$/,
  );
  expect(JSON.stringify(report)).not.toContain(apiKey);
});

test.each([
  ['has children that refuse to end', `(trap '' TERM; sleep 60) & sleep 60`],
  ['fails and leaves a child behind', 'sleep 60 & exit 1'],
])('no process remains of a command that %s', async (_, command) => {
  const folder = temporaryFolder();
  const provider = providerOf(`echo $$ > '${folder}/pid'; ${command}`, 200);
  await provider.broadcast({ id: 'a', streamKey: 'key', fields: {} }, 0).catch(() => {});
  const group = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  await expect.poll(() => isAlive(group), { timeout: 5_000 }).toBe(false);
});

/** Whether a process of a group still runs; zombies do not count. */
function isAlive(group: number): boolean {
  const { stdout } = spawnSync('ps', ['-e', '-o', 'pgid=,stat='], { encoding: 'utf8' });
  return stdout.split('\n').some((line) => new RegExp(`^\\s*${group} [^Z]`).test(line));
}
