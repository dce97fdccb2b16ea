import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { World } from '../../mocks/index.ts';
import type { Report } from '../model/report.ts';
import { run } from '../run.ts';
import { serveMock, serveProxy } from '../servers.test-support.ts';

const apiKey = 'test-given';

test('with a given stream with profiles, only checks that need other streams are blocked', async () => {
  const { mock, baseUrl } = await serveMock();
  const id = await record(await mock.world(apiKey), { profiles: [...recommendedProfiles] });
  const report = await judge(baseUrl, id);
  const passed = report.results.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['LIST-2', 'LIST-16', 'MEDIA-2', 'MEDIA-3']));
  // What a user names is only read.
  for (const id of ['RECORD-5', 'RECORD-10', 'MEDIA-4']) {
    expect(outcomes(report)).toMatchObject({ [id]: 'blocked' });
  }
  expect(message(report, 'MEDIA-4')).toMatch(
    /without profiles: the given stream .* has none; give/,
  );
  expect(message(report, 'RECORD-5')).toMatch(/let the suite go live: add --control-url/);
  expect(report).toMatchObject({ verdict: 'incomplete', provider: 'given' });
});

test('a given stream that is unknown or has no recording blocks the checks that need one', async () => {
  const { mock, baseUrl } = await serveMock();
  const { id } = await (await mock.world(apiKey)).createStream({ name: 'never live' });
  const only = ['LIST-2', 'MEDIA-1'];
  const ids: [string, RegExp, string[]?][] = [
    [
      '00000000-0000-4000-8000-000000000000',
      /the given stream .* was not found \(status 404\); give --recorded-stream one with a recorded session$/,
      [...only, 'AUTH-3', 'AUTH-6'],
    ],
    [id, /the given stream .* has no recorded session; give --recorded-stream one with/],
    ['..', /^id: expected one that can be put into a path, got "\.\."$/],
  ];
  for (const [given, expected, judged = only] of ids) {
    const report = await judge(baseUrl, given, judged);
    expect(new Set(Object.values(outcomes(report)))).toEqual(new Set(['blocked']));
    for (const result of report.results) expect(result.message).toMatch(expected);
    expect(report.verdict).toBe('incomplete');
  }
});

test('a given stream without a ready recording blocks, and the message lists its statuses', async () => {
  const { mock } = await serveMock();
  const id = await record(await mock.world(apiKey), {});
  const proxy = await serveProxy({ mock }, async ({ url }) =>
    url.includes('/sessions')
      ? Response.json([
          { id: 'a', recordingStatus: 'failed' },
          { id: 'b', recordingStatus: 'queued' },
          { id: 'c' },
        ])
      : undefined,
  );
  const report = await judge(proxy.baseUrl, id, ['LIST-18', 'MEDIA-1']);
  for (const result of report.results) {
    expect(result.outcome).toBe('blocked');
    expect(result.message).toMatch(
      /none became ready in time; recordingStatus was "failed", "queued", nothing; .*--patience/,
    );
  }
});

/** Makes a stream with a recorded session, and returns its id. */
async function record(world: World, more: object): Promise<string> {
  const { id } = await world.createStream({ name: 'given', record: true, ...more });
  await world.start(id, { duration: 8 });
  return id;
}

function judge(baseUrl: string, recordedStream: string, only?: string[]): Promise<Report> {
  const provider = { recordedStream };
  return run({ baseUrl, apiKey, provider, patience: 100, ...(only && { only }) });
}

function outcomes({ results }: Report): Record<string, string> {
  return Object.fromEntries(results.map(({ id, outcome }) => [id, outcome]));
}

function message({ results }: Report, id: string): string | undefined {
  return results.find((result) => result.id === id)?.message;
}
