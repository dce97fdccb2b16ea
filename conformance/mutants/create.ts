import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { Profile, Stream } from '../../interface/types.ts';
import type { Rewrite } from '../../mocks/messages/client-request.ts';
import {
  on,
  refuse,
  rewriteJson,
  rewriteResponse,
  rewriteStreams,
  sendAs,
  together,
} from '../../mocks/variants/rewrite.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { withoutMarks } from '../../target/requests/run-names.ts';
import { breaks, type Mutants } from './mutant.ts';

/** Mutants of creating a stream. */
export const createMutants: Mutants = {
  'create-answers-200': breaks('CREATE-1', sendAs('create', { status: 200 })),
  'create-answers-text': breaks('CREATE-26', sendAs('create', { type: 'text/plain' })),
  'create-answers-array': breaks(
    'CREATE-2',
    rewriteJson('create', (stream) => [stream]),
  ),
  'create-fails-on-malformed-json': breaks(
    'CREATE-22',
    rewriteResponse('create', ({ status }) =>
      status === 400 ? refuse(500, 'Unexpected end of JSON input') : undefined,
    ),
  ),
  'create-trims-name': breaks('CREATE-3', replaceInName(/^\s+|\s+$/g, '')),
  'create-collapses-spaces': breaks('CREATE-3', replaceInName(/ +/g, ' ')),
  'create-strips-emoji': breaks('CREATE-3', replaceInName(/[\u{10000}-\u{10FFFF}]/gu, '')),
  'create-mangles-unicode': breaks('CREATE-3', replaceInName(/[^\0-\xff]/gu, '?')),
  'create-escapes-name': breaks(
    'CREATE-3',
    replaceInName(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`),
  ),
  'create-composes-name': breaks(
    'CREATE-3',
    replaceInName(/.+/s, (name) => name.normalize('NFC')),
  ),
  'create-folds-name': breaks(
    'CREATE-3',
    replaceInName(/[\u2460-\u24ff\ufb00-\uffef]/g, (letter) => letter.normalize('NFKC')),
  ),
  'create-cuts-name': breaks('CREATE-3', replaceInName(/(?<=^.{255}).+/s, '')),
  'create-sorts-profiles': breaks(
    'CREATE-4',
    rewriteProfiles((profiles) => profiles.toSorted((left, right) => right.height - left.height)),
  ),
  'create-sorts-profiles-by-name': breaks(
    'CREATE-4',
    rewriteProfiles((profiles) =>
      profiles.some(({ name }) => name === '240p')
        ? profiles.toSorted((left, right) => (left.name < right.name ? -1 : 1))
        : profiles,
    ),
  ),
  'create-merges-equal-sizes': breaks(
    'CREATE-4',
    rewriteProfiles((profiles) =>
      profiles.filter(
        ({ width, height }, index) =>
          profiles.findIndex((other) => other.width === width && other.height === height) === index,
      ),
    ),
  ),
  'create-shows-record-only': breaks(
    'RECORD-28',
    on('create', async ({ request, body: { record, ...body }, ask }) => {
      if (record !== true) return undefined;
      const response = await ask('POST', request.url, body);
      if (!response.ok) return response;
      return Response.json({ ...(await response.json()), record }, { status: response.status });
    }),
  ),
  'create-drops-equal-names': breaks(
    'CREATE-4',
    on('create', ({ request, body, ask }) => {
      const profiles = Array.isArray(body['profiles']) ? body['profiles'] : [];
      const byName = new Map(profiles.map((profile) => [profile?.name, profile]));
      if (byName.size === profiles.length) return undefined;
      return ask('POST', request.url, { ...body, profiles: [...byName.values()] });
    }),
  ),
  'create-limits-bitrate': breaks(
    'CREATE-4',
    rewriteEachProfile(({ bitrate }) => ({
      bitrate: Math.min(bitrate, 20_000_000),
    })),
  ),
  'create-drops-a-profile': breaks(
    'CREATE-4',
    rewriteProfiles((profiles) => profiles.slice(0, 3)),
  ),
  'create-rounds-bitrate': breaks(
    'CREATE-4',
    rewriteEachProfile(({ bitrate }) => ({
      bitrate: Math.round(bitrate / 1000) * 1000,
    })),
  ),
  'create-presets-720p': breaks(
    'CREATE-4',
    rewriteEachProfile(({ name }) => recommendedProfiles.find((profile) => profile.name === name)),
  ),
  'create-limits-fps': breaks(
    'CREATE-4',
    rewriteEachProfile(({ fps }) => ({ fps: Math.min(fps, 30) })),
  ),
  'create-raises-fps': breaks(
    'CREATE-4',
    rewriteEachProfile(({ fps }) => ({ fps: fps === 24 ? 25 : fps })),
  ),
  'create-evens-sizes': breaks(
    'CREATE-4',
    rewriteEachProfile(({ width }) => ({
      width: width > 1 ? width - (width % 2) : width,
    })),
  ),
  'create-omits-profiles': breaks(
    'CREATE-4',
    rewriteStreams('profiles', () => undefined),
  ),
  'create-dates-as-text': breaks(
    'CREATE-7',
    rewriteStreams('createdAt', (time) => new Date(time).toISOString()),
  ),
  'create-dates-with-fractions': breaks(
    'CREATE-7',
    rewriteStreams('createdAt', (time) => time + 0.25),
  ),
  'create-dates-in-seconds': breaks(
    'CREATE-8',
    rewriteStreams('createdAt', (time) => Math.floor(time / 1000)),
  ),
  'create-dates-in-local-time': breaks(
    'CREATE-8',
    rewriteStreams('createdAt', (time) => time + 3_600_000),
  ),
  'create-shortens-stream-key': breaks(
    'CREATE-9',
    rewriteStreams('streamKey', (key) => key.slice(0, 14)),
  ),
  'create-joins-stream-key': breaks(
    'CREATE-9',
    rewriteStreams('streamKey', (key) => key.replaceAll('-', '')),
  ),
  'create-shortens-some-stream-keys': breaks(
    'CREATE-9',
    rewriteEveryEighth('streamKey', (key) => key.slice(1)),
  ),
  'create-omits-some-playback-ids': breaks(
    'CREATE-10',
    rewriteEveryEighth('playbackId', () => undefined),
  ),
  'create-omits-playback-id': breaks(
    'CREATE-10',
    rewriteStreams('playbackId', () => undefined),
  ),
  'create-empties-playback-id': breaks(
    'CREATE-10',
    rewriteStreams('playbackId', () => ''),
  ),
  'create-publishes-stream-key': breaks(
    'CREATE-21',
    rewriteStreams('playbackId', (_, stream) => stream.streamKey),
  ),
  'create-shows-record-as-text': breaks('CREATE-15', rewriteStreams('record', String)),
  'create-shows-record-as-number': breaks('CREATE-15', rewriteStreams('record', Number)),
  'create-dates-all-alike': breaks('CREATE-19', stretchTime(0)),
  'create-dates-backwards': breaks('CREATE-19', stretchTime(-1)),
  'create-dates-too-fast': breaks('CREATE-19', stretchTime(10)),
  'create-numbers-streams': breaks(
    'CREATE-5',
    rewriteStreams('id', (id) => `${Number.parseInt(id.slice(0, 8), 16)}`),
  ),
  'create-makes-ids-from-clock': breaks(
    'CREATE-6',
    rewriteStreams('id', (_, stream) =>
      clockOf(stream).replace(/^(.{4})(.+)/, '00000000-$1-4000-8000-$2'),
    ),
  ),
  'create-makes-stream-keys-from-clock': breaks(
    'CREATE-11',
    rewriteStreams('streamKey', (_, stream) => clockOf(stream).replace(/(.{4})(?=.)/g, '$1-')),
  ),
  'create-makes-playback-ids-from-clock': breaks(
    'CREATE-12',
    rewriteStreams('playbackId', (_, stream) => clockOf(stream)),
  ),
  'create-makes-stream-keys-from-name': breaks(
    'CREATE-11',
    rewriteStreams('streamKey', (_, { name }) => digestOf(name).replace(/(.{4})(?=.)/g, '$1-')),
  ),
  'create-makes-playback-ids-from-name': breaks(
    'CREATE-12',
    rewriteStreams('playbackId', (_, { name }) => digestOf(name)),
  ),
  'create-repeats-id': breaks('CREATE-6', repeatField('id')),
  'create-repeats-stream-key': breaks('CREATE-11', repeatField('streamKey')),
  'create-repeats-playback-id': breaks('CREATE-12', repeatField('playbackId')),
  'create-demands-profiles': breaks(
    'CREATE-13',
    refuseCreation(({ name, profiles }) => name !== undefined && profiles === undefined),
  ),
  'create-refuses-recommended-profiles': breaks(
    'CREATE-16',
    refuseCreation(({ profiles }) => asProfiles(profiles).length > 2),
  ),
  'create-refuses-other-profiles': breaks(
    'CREATE-24',
    refuseCreation(({ profiles }) =>
      asProfiles(profiles).some(({ name }) => !/^(720|480|360)p$/.test(name)),
    ),
  ),
  'create-invents-name': breaks(
    'CREATE-14',
    rewriteCreation(({ name }) => name === undefined && { name: 'Untitled' }),
  ),
  'create-invents-name-for-profiles': breaks(
    'CREATE-14',
    rewriteCreation(
      ({ name, profiles }) =>
        name === undefined && asProfiles(profiles).length > 0 && { name: 'Untitled' },
    ),
  ),
  'create-invents-name-without-body': breaks(
    'CREATE-25',
    createFrom((_, text) => (text === '' ? 'Untitled' : undefined)),
  ),
  'create-takes-bare-name': breaks(
    'CREATE-25',
    createFrom((json) => (typeof json === 'string' ? json : undefined)),
  ),
  'create-invents-name-for-null': breaks(
    'CREATE-25',
    createFrom((json) => (json === null ? 'Untitled' : undefined)),
  ),
  'create-invents-name-for-empty-list': breaks(
    'CREATE-25',
    createFrom((json) => (Array.isArray(json) && json.length === 0 ? 'Untitled' : undefined)),
  ),
  'create-accepts-numeric-name': breaks(
    'CREATE-17',
    rewriteCreation(({ name }) => typeof name === 'number' && { name: `${name}` }),
  ),
  'create-accepts-null-name': breaks(
    'CREATE-17',
    rewriteCreation(({ name }) => name === null && { name: '' }),
  ),
  'create-accepts-any-profiles': breaks(
    'CREATE-18',
    rewriteCreation(
      ({ profiles }) => profiles !== undefined && !isProfiles(profiles) && { profiles: undefined },
    ),
  ),
  'create-adds-default-profiles': breaks(
    'MEDIA-4',
    rewriteCreation(
      ({ name, profiles }) =>
        name !== undefined && profiles === undefined && { profiles: recommendedProfiles },
    ),
  ),
  'create-refuses-and-creates': breaks(
    'CREATE-20',
    rewriteResponse('create', async (response, { request, body, ask }) => {
      if (body['name'] !== undefined || response.status !== 422) return undefined;
      await ask('POST', request.url, { ...body, name: 'Untitled' });
      return response;
    }),
  ),
  'create-ignores-record': breaks(
    'CREATE-27',
    rewriteCreation(() => ({ record: undefined })),
  ),
  'create-ignores-record-unseen': breaks(
    'CREATE-27',
    together(
      rewriteCreation(() => ({ record: undefined })),
      rewriteStreams('record', () => undefined),
    ),
  ),
  'create-takes-id': breaks('CREATE-23', takeField('id')),
  'create-takes-stream-key': breaks('CREATE-23', takeField('streamKey')),
  'create-takes-playback-id': breaks('CREATE-23', takeField('playbackId')),
  'create-takes-date': breaks('CREATE-23', takeField('createdAt')),
};

/** Shows a field of a new stream as the client has sent it. */
function takeField(field: 'id' | 'streamKey' | 'playbackId' | 'createdAt'): Rewrite {
  return together(
    rewriteCreation(() => ({ [field]: undefined })),
    rewriteJson<Stream>('create', (stream, { body }) => ({
      ...stream,
      [field]: body[field] ?? stream[field],
    })),
  );
}

/** Changes fields of the body that creates a stream. */
function rewriteCreation(change: (body: JsonObject) => object | false): Rewrite {
  return on('create', ({ request, body, ask }) =>
    ask('POST', request.url, { ...body, ...change(body) }),
  );
}

/** Creates a stream by a name that `findName` makes of a body. */
function createFrom(findName: (json: unknown, text: string) => string | undefined): Rewrite {
  return on('create', ({ request, json, text, ask }) => {
    const name = findName(json, text);
    return name === undefined ? undefined : ask('POST', request.url, { name });
  });
}

/** Changes what matches in the name of a new stream. */
function replaceInName(pattern: RegExp, by: string | ((matched: string) => string)): Rewrite {
  return rewriteCreation(
    ({ name }) => typeof name === 'string' && { name: name.replace(pattern, by as string) },
  );
}

/** Changes the profiles of a new stream. */
function rewriteProfiles(change: (profiles: readonly Profile[]) => readonly object[]): Rewrite {
  return rewriteCreation(({ profiles }) => isProfiles(profiles) && { profiles: change(profiles) });
}

function rewriteEachProfile(change: (profile: Profile) => object | undefined): Rewrite {
  return rewriteProfiles((profiles) =>
    profiles.map((profile) => ({ ...profile, ...change(profile) })),
  );
}

/** Refuses new streams whose bodies match. */
function refuseCreation(isRefused: (body: JsonObject) => boolean): Rewrite {
  return on('create', ({ body }) => (isRefused(body) ? refuse(422, 'body: refused') : undefined));
}

/** Shows times that pass at a different speed, beginning with the first stream. */
function stretchTime(speed: number): Rewrite {
  return (next) => {
    let first: number | undefined;
    return rewriteStreams('createdAt', (time) => {
      first ??= time;
      return first + speed * (time - first);
    })(next);
  };
}

/** Changes a field of every eighth stream. */
function rewriteEveryEighth<Name extends keyof Stream>(
  name: Name,
  change: (value: Stream[Name]) => unknown,
): Rewrite {
  return (next) => {
    let count = 0;
    return rewriteStreams(name, (value) => {
      count += 1;
      return count % 8 === 0 ? change(value) : value;
    })(next);
  };
}

/** Shows a field as it was in the first stream with the same name. */
function repeatField(field: keyof Stream): Rewrite {
  return (next) => {
    const first = new Map<string, unknown>();
    return rewriteStreams(field, (value, { name }) => {
      // The mark in a name of the suite is in no other.
      const words = withoutMarks(name);
      if (!first.has(words)) first.set(words, value);
      return first.get(words);
    })(next);
  };
}

/** Sixteen digits that follow from a text. */
function digestOf(text: string): string {
  let digest = 7;
  for (const character of text) digest = (digest * 31 + character.charCodeAt(0)) % 2 ** 44;
  return digest.toString().padStart(16, '0').slice(-16);
}

/** The time of a creation in milliseconds, in 16 digits. */
function clockOf({ createdAt }: Stream): string {
  return String(createdAt).padStart(16, '0');
}

function asProfiles(value: unknown): readonly Profile[] {
  return isProfiles(value) ? value : [];
}

/** Not the checks' own function: a mistake in that one would then go unnoticed. */
function isProfiles(value: unknown): value is readonly Profile[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}
