import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { serveMock, serveProxy } from '../../target/servers.test-support.ts';
import type { Report } from '../model/report.ts';
import { run } from '../run-suite.ts';

const apiKey = 'test-given';

test('with a given stream with profiles, only checks that need other streams are blocked', async () => {
  const { mock, baseUrl } = await serveMock();
  const world = await mock.world(apiKey);
  const profiles = [...recommendedProfiles];
  const { id } = await world.createStream({ name: 'given', record: true, profiles });
  await world.start(id, { duration: 8 });
  const report = await judge(baseUrl, id);
  const passed = report.results.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['LIST-2', 'LIST-16', 'MEDIA-2', 'MEDIA-3']));
  // The stream that a user names is only read.
  for (const id of ['RECORD-5', 'RECORD-10', 'MEDIA-4']) {
    expect(outcomes(report)).toMatchObject({ [id]: 'blocked' });
  }
  const messages = Object.fromEntries(report.results.map(({ id, message }) => [id, message]));
  expect(messages['MEDIA-4']).toMatch(
    /without profiles: the given stream .* has none; an encoder makes both/,
  );
  expect(messages['RECORD-5']).toMatch(/needs an encoder: add --control-url/);
  expect(report).toMatchObject({ verdict: 'incomplete', provider: 'given' });
});

test.each([
  [
    '00000000-0000-4000-8000-000000000000',
    /the given stream .* was not found \(status 404\); choose another with --recorded-stream$/,
    ['LIST-2', 'MEDIA-1', 'AUTH-3', 'AUTH-6'],
  ],
  [
    'never live',
    /the given stream .* has no recorded session; choose another with/,
    ['LIST-2', 'MEDIA-1'],
  ],
  ['..', /^id: expected one that can be put into a path, got "\.\."$/, ['LIST-2', 'MEDIA-1']],
])(
  'the given stream %s blocks the checks that need a recording',
  async (given, expected, judged) => {
    const { mock, baseUrl } = await serveMock();
    const { id } = await (await mock.world(apiKey)).createStream({ name: 'never live' });
    const report = await judge(baseUrl, given === 'never live' ? id : given, judged);
    expect(new Set(Object.values(outcomes(report)))).toEqual(new Set(['blocked']));
    for (const result of report.results) expect(result.message).toMatch(expected);
    expect(report.verdict).toBe('incomplete');
  },
);

test('a given stream without a ready recording blocks checks, and the message lists its statuses', async () => {
  const statuses = [{ recordingStatus: 'failed' }, { recordingStatus: 'queued' }, {}];
  const sessions = statuses.map((status, index) => ({ ...status, id: `s${index}` }));
  const proxy = await serveProxy(await serveMock(), ({ url }) =>
    url.includes('/sessions') ? Response.json(sessions) : undefined,
  );
  const report = await judge(proxy.baseUrl, 'given', ['LIST-18', 'MEDIA-1']);
  for (const { outcome, message } of report.results) {
    expect(outcome).toBe('blocked');
    expect(message).toMatch(
      /none became ready in time; recordingStatus was "failed", "queued", nothing; .*--patience/,
    );
  }
});

function judge(baseUrl: string, recordedStream: string, only?: string[]): Promise<Report> {
  const provider = { recordedStream };
  return run({ baseUrl, apiKey, provider, patience: 100, ...(only && { only }) });
}

function outcomes({ results }: Report): Record<string, string> {
  return Object.fromEntries(results.map(({ id, outcome }) => [id, outcome]));
}
