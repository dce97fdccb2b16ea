import { exec } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openConnection, publishing } from '../mocks/adapters/ingest/rtmp-client.test-support.ts';
import { stateText } from '../mocks/http/request.test-support.ts';
import { createMock } from '../mocks/mock.ts';
import { casesOf } from '../tools/cases.test-support.ts';
import {
  ask,
  freePort,
  runCommand,
  startServing,
  startTalking,
} from '../tools/command-line.test-support.ts';
import { startServingProcess } from '../tools/process.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

const dialect = {
  dialect: 3,
  name: 'Acme, staging',
  errors: { updateStream: { 'field:record': { given: 'kept' } } },
  behaviours: { 'keys.spelling': { mp4URL: 'mp4Address' } },
} as const;

test('options change the world, the path and the origin of every address', async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const world = ['--world', 'crowded', '--streams', '7', '--prefix', '/v1'];
  const server = await startServing(...world, '--media-origin', origin, '--port', String(port));
  expect(server.baseUrl).toBe(`${origin}/v1`);
  expect(server.controlUrl).toBe(server.baseUrl.replace('/v1', '/_mock'));
  expect(await (await ask(server, 'GET /stream')).json()).toHaveLength(7);
  const [session] = await (await ask(server, 'GET /session?record=1')).json();
  expect(session.recordingUrl).toMatch(new RegExp(`^${origin}/recordings/`));
});

test('if API keys are given, all others are refused, and none is printed', async () => {
  const keys = ['--api-key', 'key-one', '--api-key', 'key-two'];
  const server = await startServing(...keys);
  for (const [apiKey, status] of Object.entries({ 'key-one': 200, 'key-two': 200, other: 401 })) {
    expect(await ask(server, 'GET /stream', apiKey)).toMatchObject({ status });
  }
  expect(server.apiKey).toBeNull();
  const { said } = await startTalking(...keys);
  expect(said).toMatch(/API key +the one in --api-key\n/);
  expect(said + JSON.stringify(await server.stop())).not.toContain('key-one');
});

test("the banner's curl line works when pasted", async () => {
  const { said } = await startTalking();
  expect(said).toMatch(/base URL +http:\/\/127\.0\.0\.1:\d+\/api\n/);
  expect(said).toMatch(/API key +test-demo /);
  const [line = ''] = /curl .*/.exec(said) ?? [];
  const { stdout } = await promisify(exec)(`${line} --silent --fail`);
  expect(JSON.parse(stdout)).toHaveLength(6);
});

test('a signal stops the server even while clients are connected', async () => {
  const server = await startServingProcess();
  const headers = { authorization: 'Bearer test-demo' };
  const events = await fetch(`${server.controlUrl}/events`, { headers });
  expect(events.status).toBe(200);
  expect(await server.stop('SIGINT')).toMatchObject({ status: 0, stderr: '' });
  await expect(events.text()).rejects.toThrow('terminated');
});

test('a port in use is refused in one sentence', async () => {
  const { port } = new URL((await startServing()).baseUrl);
  expect(await runCommand('serve', '--port', port)).toEqual({
    status: 3,
    stdout: '',
    stderr: `livestream-mock: options --host, --port: cannot listen there: listen EADDRINUSE: address already in use 127.0.0.1:${port}; --port 0 picks a free port\n`,
  });
  const { stderr } = await runCommand('serve', '--port', '0', '--rtmp', port);
  expect(stderr).toContain(`option --rtmp: expected a port that is free on 127.0.0.1, got ${port}`);
});

test('refused encoders and cameras are reported on stderr, without the stream key', async () => {
  const { rtmp = '', whip = '', stop } = await startServing('--rtmp', '0', '--whip');
  await openConnection(rtmp, publishing('none')).closed;
  await openConnection(rtmp, publishing('hush-hush', 'other')).closed;
  const headers = { 'content-type': 'application/sdp' };
  await fetch(`${whip}/none`, { method: 'POST', headers, body: 'v=0\r\nm=audio' });
  await fetch(`${whip}/none`, { method: 'POST', headers, body: 'v=0\r\nm=\u001bdata' });
  const expected = 'stream key: expected the streamKey of exactly one stream that is not live';
  expect((await stop()).stderr).toBe(`\
livestream-mock: RTMP refused: ${expected}, got one that no stream has
livestream-mock: RTMP refused: path: expected /live/STREAM_KEY, got another
livestream-mock: WHIP refused: ${expected}, got one that no stream has
livestream-mock: WHIP refused: body: expected an SDP offer of at most 4 tracks, all audio or video, got one with ""
`);
});

test('a dialect is named with each stated rule that it breaks; with --json, on stderr', async () => {
  const file = temporaryFile('dialect.json', dialect);
  const { said } = await startTalking('--dialect', file);
  const broken =
    'broken by the dialect: updateStream: field:record:given is kept (RECORD-16).\nbroken by the dialect: It spells mp4URL as mp4Address (LIST-13, MEDIA-6).\n';
  expect(said).toContain(`  dialect      Acme, staging (${file})\n${broken}`);
  const { stop } = await startServing('--dialect', file);
  expect((await stop()).stderr).toBe(broken);
});

test('a dialect without a name is called by its file', async () => {
  const file = temporaryFile('d2.json', { dialect: 3 });
  const { said } = await startTalking('--dialect', file);
  expect(said).toContain(`  dialect      ${file}\n`);
});

test.each(
  casesOf(`
--dialect {"dialect":3,"errors":{"setRecord":{"id":{"unknown":600}}}}
  errors.setRecord.id.unknown: expected a status from 400 to 599, got 600
--world {"version": 1, "now": 0}
  line 1: expected an exported state of version 2
--data {"version":1,"worlds":
  expected a file of worlds of version 4, got another; give another file, or move
`),
)('a file given with %s is refused in a sentence', async (given, sentence) => {
  const [option = '', text] = given.split(/ (.*)/);
  const file = temporaryFile('given', text);
  const { status, stderr } = await runCommand('serve', '--port', '0', option, file);
  expect([status, stderr]).toEqual([3, expect.stringContaining(`${file}: ${sentence}`)]);
});

test('an exported state is taken as a world, and a folder is refused', async () => {
  const arranged = await createMock({ world: 'crowded', streams: 2_000 }).world();
  const path = temporaryFile('state', stateText(arranged.exportState()));
  const server = await startServing('--world', path);
  expect(await (await ask(server, 'GET /stream')).json()).not.toEqual([]);
  const folder = dirname(path);
  const { stderr } = await runCommand('serve', '--world', folder);
  expect(stderr).toContain(`${folder}: EISDIR: `);
});

test('every world starts with the faults that are given, and an unused one is named at the end', async () => {
  const refusal = '{"effect":"status","status":503,"operation":"createStream","times":1}';
  const slowness = '{"effect":"delay","delay":"1ms","operation":"retrieveSession"}';
  const server = await startServing('--fault', refusal, '--fault', slowness);
  for (const apiKey of ['test-a', 'test-b']) {
    const create = () => ask(server, 'POST /stream', apiKey, { name: 'Harbour camera' });
    expect([(await create()).status, (await create()).status]).toEqual([503, 201]);
  }
  const headers = { authorization: 'Bearer test-a' };
  await fetch(`${server.controlUrl}/reset`, { method: 'POST', headers });
  const stderr = `livestream-mock: unused fault: ${slowness}\n`;
  expect(await server.stop()).toMatchObject({ status: 0, stderr });
});

test('--variant behaves like another service, and says so; with --json, on stderr', async () => {
  const notice =
    'like another service: oldest-first: Lists came oldest first.\nlike another service: slow: Every response took two seconds, except those with media.\n';
  const { said } = await startTalking('--variant', 'oldest-first+slow');
  expect(said).toContain(notice);
  const { controlUrl, stop } = await startServing('--variant', 'oldest-first+slow');
  const url = `${controlUrl}/evidence`;
  const response = await fetch(url, { headers: { authorization: 'Bearer test-demo' } });
  expect(await response.json()).toEqual({
    variant: 'oldest-first+slow',
    compared: 0,
    changed: { 'oldest-first': 0, slow: 0 },
  });
  expect((await stop()).stderr).toBe(notice);
});

test('--variant list prints the name of every variant, and what it does', async () => {
  const { status, stdout } = await runCommand('serve', '--variant', 'list');
  expect(stdout).toMatch(/^oldest-first: Lists came oldest first\.$/m);
  expect(status).toBe(0);
});

test.each([
  ['oldest', 'expected the name of a variant, perhaps oldest-first, got "oldest"'],
  [
    'oldest-first+last-seen-first',
    'expected variants that do not contradict each other, got oldest-first and last-seen-first, which are both about the order of lists',
  ],
])('--variant %s is refused', async (variant, message) => {
  const { status, stderr } = await runCommand('serve', '--port', '0', '--variant', variant);
  expect(stderr).toContain(`--variant: ${message}`);
  expect(status).toBe(3);
});

test('--break list prints the name of every mutant, and which rule it breaks', async () => {
  const { status, stdout } = await runCommand('serve', '--break', 'list');
  expect(stdout).toMatch(/^record-answers-200: breaks RECORD-1: Turning recording on /m);
  expect(status).toBe(0);
});
