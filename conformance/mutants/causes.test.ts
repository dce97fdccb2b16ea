import { expect, test } from 'vitest';
import { createMock } from '../../mocks/mock.ts';
import type { Exchange, Result } from '../model/report.ts';
import { run } from '../run.ts';
import { breakFetch } from './break-fetch.ts';

/** For one fault: what fails, with one message for all, and the request that its evidence begins with. */
const causes: readonly [mutant: string, failed: string, message: RegExp, decisive: RegExp][] = [
  [
    'create-answers-200',
    'CREATE-1',
    /^POST \/stream: expected status 201, got 200$/,
    /^POST \/stream$/,
  ],
  [
    'create-demands-profiles',
    'CREATE-1 CREATE-2 CREATE-3 CREATE-5 CREATE-7 CREATE-8 CREATE-9 CREATE-10 CREATE-13',
    /^POST \/stream: expected status 201, got 422$/,
    /^POST \/stream$/,
  ],
  [
    'create-dates-as-text',
    'CREATE-7 CREATE-8',
    /^createdAt: expected an integer, got a string$/,
    /^POST \/stream$/,
  ],
  [
    'create-omits-playback-id',
    'CREATE-10 CREATE-12',
    /^playbackId: expected .*, got nothing$/,
    /^POST \/stream$/,
  ],
  [
    'record-answers-200',
    'RECORD-1 RECORD-2',
    /^PATCH \/stream\/{id}\/record: expected status 204 and no body, got 200 and no body$/,
    /^PATCH \/stream\/ID\/record$/,
  ],
  [
    'record-takes-text',
    'RECORD-13',
    /^expected record "true" to be refused/,
    /^PATCH \/stream\/ID\/record$/,
  ],
  [
    'record-changes-by-general-patch',
    'RECORD-16',
    /got true after PATCH \/stream\/{id} with {"record":true}$/,
    /^PATCH \/stream\/ID$/,
  ],
  [
    'record-changes-by-put',
    'RECORD-16',
    /got true after PUT \/stream\/{id} with {"name":/,
    /^PUT \/stream\/ID$/,
  ],
  [
    'record-ignores-on',
    'RECORD-5',
    /^record: expected true in a session that began after/,
    /^POST \/_mock\/streams\/ID\/start$/,
  ],
  [
    'record-ignores-off',
    'RECORD-6',
    /live after its recording was turned off/,
    /^GET \/stream\/ID\/sessions\?record=1$/,
  ],
  [
    'record-changes-parent-of-session',
    'RECORD-11',
    /^record of the stream: expected false as before, got true$/,
    /^PATCH \/stream\/ID\/record$/,
  ],
  [
    'list-shows-unrecorded-sessions',
    'LIST-3',
    /^expected recorded sessions alone/,
    /^GET \/stream\/ID\/sessions\?record=1$/,
  ],
  [
    'list-shows-oldest-only',
    'LIST-17',
    /^expected all 2 recorded sessions of the stream in its list, got 1; /,
    /^GET \/stream\/ID\/sessions\?record=1$/,
  ],
  [
    'list-shouts-status',
    'LIST-18',
    /^recordingStatus: expected "ready" in a session whose recording plays .*, got "READY"$/,
    /^GET \/stream\/ID\/sessions\?record=1$/,
  ],
  [
    'ready-spells-mp4-url-differently',
    'LIST-13 MEDIA-6 MEDIA-7',
    /^mp4URL: expected an http or https address, got nothing; the object has mp4Url$/,
    /^GET \/stream\/ID\/sessions\?record=1$/,
  ],
  [
    'ready-omits-duration',
    'LIST-14 MEDIA-5 MEDIA-7',
    /^sourceSegmentsDuration: expected a number above 0, in seconds, got nothing$/,
    /^GET \/stream\/ID\/sessions\?record=1$/,
  ],
  [
    'create-adds-default-profiles',
    'MEDIA-4',
    /^expected one rendition, got 4$/,
    /^GET \/recordings\/ID\/index\.m3u8$/,
  ],
  [
    'media-playlist-missing',
    'MEDIA-1 MEDIA-2 MEDIA-3 MEDIA-4 MEDIA-5 MEDIA-7 MEDIA-8 MEDIA-9',
    /^recordingUrl: expected status 200, got 404$/,
    /^GET \/recordings\/ID\/index\.m3u8$/,
  ],
  [
    'media-segment-missing',
    'MEDIA-2',
    /00000002\.m4s: expected status 200, got 404$/,
    /^GET \/recordings\/ID\/\w+\/00000002\.m4s$/,
  ],
  [
    'media-duration-wrong',
    'MEDIA-5 MEDIA-7',
    /^sourceSegmentsDuration: expected what the playlist lasts, 8 s, .* got 16 s$/,
    /^GET \/recordings\/ID\/\w+\/index\.m3u8$/,
  ],
  [
    'media-mp4-truncated',
    'MEDIA-6 MEDIA-7',
    /^mp4URL: expected a whole file/,
    /^GET \/recordings\/ID\/source\.mp4$/,
  ],
];

test.each(causes)('%s fails %s, for one reason', async (mutant, failed, message, decisive) => {
  const results = await judge(mutant);
  const failures = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error');
  expect(failures.map(({ id }) => id).join(' ')).toBe(failed);
  const messages = new Set(failures.map((result) => result.message));
  expect([...messages]).toEqual([expect.stringMatching(message)]);
  for (const { id, evidence } of failures) expect(requestOf(evidence[0]), id).toMatch(decisive);
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
