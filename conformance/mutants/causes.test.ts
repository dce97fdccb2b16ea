import { expect, test } from 'vitest';
import { createMock } from '../../mocks/mock.ts';
import type { Exchange, Result } from '../model/report.ts';
import { run } from '../run.ts';
import { breakFetch } from './break-fetch.ts';

interface Cause {
  readonly mutant: string;
  /** Ids of the requirements that fail. */
  readonly failed: string;
  /** The message of each of them. */
  readonly message: RegExp;
  /** The request that their evidence begins with. */
  readonly decisive: RegExp;
}

const causes: readonly Cause[] = [
  {
    mutant: 'create-answers-200',
    failed: 'CREATE-1',
    message: /^POST \/stream: expected status 201, got 200$/,
    decisive: /^POST \/stream$/,
  },
  {
    mutant: 'create-demands-profiles',
    failed: 'CREATE-13',
    message: /^POST \/stream: expected status 201, got 422$/,
    decisive: /^POST \/stream$/,
  },
  {
    mutant: 'create-dates-as-text',
    failed: 'CREATE-7 CREATE-8 CREATE-19',
    message: /^createdAt: expected an integer, got a string$/,
    decisive: /^POST \/stream$/,
  },
  {
    mutant: 'create-omits-playback-id',
    failed: 'CREATE-10 CREATE-12 CREATE-21',
    message: /^playbackId: expected .*, got nothing$/,
    decisive: /^POST \/stream$/,
  },
  {
    mutant: 'record-answers-200',
    failed: 'RECORD-1 RECORD-2',
    message: /^PATCH \/stream\/{id}\/record: expected status 204 and no body, got 200 and no body$/,
    decisive: /^PATCH \/stream\/ID\/record$/,
  },
  {
    mutant: 'record-takes-text',
    failed: 'RECORD-13',
    message: /^expected record "true" to be refused/,
    decisive: /^PATCH \/stream\/ID\/record$/,
  },
  {
    mutant: 'record-changes-by-general-patch',
    failed: 'RECORD-16',
    message: /got true after PATCH \/stream\/{id} with {"record":true}$/,
    decisive: /^PATCH \/stream\/ID$/,
  },
  {
    mutant: 'record-changes-by-put',
    failed: 'RECORD-16',
    message: /got true after PUT \/stream\/{id} with {"name":/,
    decisive: /^PUT \/stream\/ID$/,
  },
  {
    mutant: 'record-ignores-on',
    failed: 'RECORD-5',
    message: /^record: expected true in a session that began after/,
    decisive: /^POST \/_mock\/streams\/ID\/start$/,
  },
  {
    mutant: 'record-ignores-off',
    failed: 'RECORD-6',
    message: /live after its recording was turned off/,
    decisive: /^GET \/stream\/ID\/sessions\?record=1$/,
  },
  {
    mutant: 'record-changes-parent-of-session',
    failed: 'RECORD-11',
    message: /^record of the stream: expected true as before, got false$/,
    decisive: /^PATCH \/stream\/ID\/record$/,
  },
  {
    mutant: 'list-shows-unrecorded-sessions',
    failed: 'LIST-3',
    message: /^expected only recorded sessions/,
    decisive: /^GET \/stream\/ID\/sessions\?record=1$/,
  },
  {
    mutant: 'list-shows-oldest-only',
    failed: 'LIST-17',
    message: /^expected all 2 recorded sessions of the stream in its list, got 1; /,
    decisive: /^GET \/stream\/ID\/sessions\?record=1$/,
  },
  {
    mutant: 'list-shouts-status',
    failed: 'LIST-18',
    message:
      /^recordingStatus: expected "ready" in a session whose recording plays .*, got "READY"$/,
    decisive: /^GET \/stream\/ID\/sessions\?record=1$/,
  },
  {
    mutant: 'ready-spells-mp4-url-differently',
    failed: 'LIST-13 MEDIA-6 MEDIA-7 MEDIA-10',
    message: /^mp4URL: expected an http or https address, got nothing; the object has mp4Url$/,
    decisive: /^GET \/stream\/ID\/sessions\?record=1$/,
  },
  {
    mutant: 'ready-omits-duration',
    failed: 'LIST-14 MEDIA-5 MEDIA-7',
    message: /^sourceSegmentsDuration: expected a number above 0, in seconds, got nothing$/,
    decisive: /^GET \/stream\/ID\/sessions\?record=1$/,
  },
  {
    mutant: 'create-adds-default-profiles',
    failed: 'MEDIA-4',
    message: /^expected one rendition, got 4$/,
    decisive: /^GET \/recordings\/ID\/index\.m3u8$/,
  },
  {
    mutant: 'media-playlist-missing',
    failed: 'MEDIA-1 MEDIA-2 MEDIA-3 MEDIA-4 MEDIA-5 MEDIA-7 MEDIA-8 MEDIA-9 MEDIA-10 MEDIA-11',
    message: /^recordingUrl: expected status 200, got 404$/,
    decisive: /^GET \/recordings\/ID\/index\.m3u8$/,
  },
  {
    mutant: 'media-segment-missing',
    failed: 'MEDIA-2',
    message: /00000002\.m4s: expected status 200, got 404$/,
    decisive: /^GET \/recordings\/ID\/\w+\/00000002\.m4s$/,
  },
  {
    mutant: 'media-duration-wrong',
    failed: 'MEDIA-5 MEDIA-7',
    message: /^sourceSegmentsDuration: expected the duration of the playlist, 8 s, .* got 16 s$/,
    decisive: /^GET \/recordings\/ID\/\w+\/index\.m3u8$/,
  },
  {
    mutant: 'media-mp4-truncated',
    failed: 'MEDIA-6 MEDIA-7',
    message: /^mp4URL: expected a whole file/,
    decisive: /^GET \/recordings\/ID\/source\.mp4$/,
  },
];

test.each(causes)('$mutant fails $failed, with one message', async (cause) => {
  const { mutant, failed, message, decisive } = cause;
  const results = await judge(mutant);
  const failures = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error');
  expect(failures.map(({ id }) => id).join(' ')).toBe(failed);
  const messages = new Set(failures.map((result) => result.message));
  expect([...messages]).toEqual([expect.stringMatching(message)]);
  for (const { id, evidence } of failures) expect(requestOf(evidence[0]), id).toMatch(decisive);
});

test('a target that creates nothing without profiles is judged with profiles', async () => {
  const results = await judge('create-demands-profiles');
  const open = results.filter(({ outcome }) => ['blocked', 'error'].includes(outcome));
  expect(open.map(({ id, message }) => `${id} ${message}`)).toEqual([
    'MEDIA-4 a stream without profiles: the target creates none; see CREATE-13',
  ]);
});

async function judge(mutant: string): Promise<readonly Result[]> {
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  const { results } = await run({
    baseUrl: 'http://mock.test/api',
    apiKey: mock.apiKey,
    provider: { controlUrl: 'http://mock.test/_mock' },
    send: breakFetch(mutant, mock.fetch),
    patience: 1,
  });
  return results;
}

/** Method and path of a request, such as `PATCH /stream/ID/record`. */
function requestOf(exchange: Exchange | undefined): string {
  const [, method = 'GET'] = /-X '(\w+)'/.exec(exchange?.curl ?? '') ?? [];
  const [, path = ''] =
    /--url 'http:\/\/mock\.test(?:\/api)?([^']*)'$/.exec(exchange?.curl ?? '') ?? [];
  return `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'ID')}`;
}
