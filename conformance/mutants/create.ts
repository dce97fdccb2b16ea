import { recommendedProfiles } from '../../interface/ladder.ts';
import {
  type JsonObject,
  type Mutant,
  onOperation,
  readBody,
  refuse,
  rewriteBody,
  rewriteJson,
  rewriteResponse,
  rewriteStream,
  withBody,
  withJson,
} from './mutant.ts';

/** Mutants of creating a stream. */
export const createMutants: Readonly<Record<string, Mutant>> = {
  'create-answers-200': {
    description: 'Creating a stream answers with status 200.',
    make: rewriteResponse('create', ({ ok, body, headers }) =>
      ok ? new Response(body, { status: 200, headers }) : undefined,
    ),
  },
  'create-answers-text': {
    description: 'A created stream is sent as text/plain.',
    make: rewriteResponse('create', ({ ok, body, status }) =>
      ok ? new Response(body, { status, headers: { 'content-type': 'text/plain' } }) : undefined,
    ),
  },
  'create-answers-array': {
    description: 'A created stream is wrapped in an array.',
    make: rewriteJson('create', () => (stream) => [stream]),
  },
  'create-trims-name': {
    description: 'Spaces around a name are dropped.',
    make: rewriteName((name) => name.trim()),
  },
  'create-collapses-spaces': {
    description: 'Several spaces in a name become one.',
    make: rewriteName((name) => name.replace(/ +/g, ' ')),
  },
  'create-strips-emoji': {
    description: 'Characters beyond the Basic Multilingual Plane are dropped from a name.',
    make: rewriteName((name) => name.replace(/[\u{10000}-\u{10FFFF}]/gu, '')),
  },
  'create-mangles-unicode': {
    description: 'Characters beyond Latin-1 become question marks in a name.',
    make: rewriteName((name) => name.replace(/[^\0-\xff]/gu, '?')),
  },
  'create-escapes-name': {
    description: 'A name is escaped for HTML.',
    make: rewriteName((name) =>
      name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ),
  },
  'create-composes-name': {
    description: 'A name is normalized to composed characters.',
    make: rewriteName((name) => name.normalize('NFC')),
  },
  'create-folds-name': {
    description: 'Compatibility characters in a name become the usual ones.',
    make: rewriteName((name) =>
      name.replace(/[\u2460-\u24ff\ufb00-\uffef]/g, (letter) => letter.normalize('NFKC')),
    ),
  },
  'create-cuts-name': {
    description: 'A name is cut after 255 characters.',
    make: rewriteName((name) => name.slice(0, 255)),
  },
  'create-sorts-profiles': {
    description: 'Profiles are sorted by height, largest first.',
    make: rewriteProfiles((profiles) =>
      profiles.toSorted((left, right) => Number(right['height']) - Number(left['height'])),
    ),
  },
  'create-drops-a-profile': {
    description: 'The fourth profile and those after it are dropped.',
    make: rewriteProfiles((profiles) => profiles.slice(0, 3)),
  },
  'create-rounds-bitrate': {
    description: 'Bitrates are rounded to kilobits per second.',
    make: rewriteEachProfile(({ bitrate }) => ({
      bitrate: Math.round(Number(bitrate) / 1000) * 1000,
    })),
  },
  'create-presets-720p': {
    description: 'A profile of a recommended name gets the recommended numbers.',
    make: rewriteEachProfile(({ name }) =>
      recommendedProfiles.find((profile) => profile.name === name),
    ),
  },
  'create-limits-fps': {
    description: 'More than 30 frames per second become 30.',
    make: rewriteEachProfile(({ fps }) => (Number(fps) > 30 ? { fps: 30 } : undefined)),
  },
  'create-raises-fps': {
    description: '24 frames per second become 25.',
    make: rewriteEachProfile(({ fps }) => (fps === 24 ? { fps: 25 } : undefined)),
  },
  'create-evens-sizes': {
    description: 'Odd widths become even.',
    make: rewriteEachProfile(({ width }) =>
      Number(width) > 1 ? { width: Number(width) - (Number(width) % 2) } : undefined,
    ),
  },
  'create-omits-profiles': {
    description: 'A created stream does not show its profiles.',
    make: rewriteStream(() => ({ profiles: undefined })),
  },
  'create-numbers-streams': {
    description: 'Stream ids are consecutive numbers.',
    make: renameStreams(({ count }) => String(count)),
  },
  'create-makes-ids-from-clock': {
    description: 'The id of a stream is made from the millisecond of its creation.',
    make: renameStreams(({ clock }) => `00000000-${clock.slice(0, 4)}-4000-8000-${clock.slice(4)}`),
  },
  'create-makes-stream-keys-from-clock': {
    description: 'streamKey is made from the millisecond of creation.',
    make: stampStream((clock) => ({ streamKey: clock.replace(/(.{4})(?=.)/g, '$1-') })),
  },
  'create-makes-playback-ids-from-clock': {
    description: 'playbackId is made from the millisecond of creation.',
    make: stampStream((clock) => ({ playbackId: clock })),
  },
  'create-repeats-id': {
    description: 'Streams with the same name have the same id.',
    make: repeatField('id'),
  },
  'create-dates-as-text': {
    description: 'createdAt is an ISO 8601 string.',
    make: rewriteStream(({ createdAt }) => ({
      createdAt: new Date(Number(createdAt)).toISOString(),
    })),
  },
  'create-dates-with-fractions': {
    description: 'createdAt has a fraction of a millisecond.',
    make: rewriteStream(({ createdAt }) => ({ createdAt: Number(createdAt) + 0.25 })),
  },
  'create-dates-in-seconds': {
    description: 'createdAt is in seconds.',
    make: rewriteStream(({ createdAt }) => ({ createdAt: Math.floor(Number(createdAt) / 1000) })),
  },
  'create-dates-in-local-time': {
    description: 'createdAt is local time, an hour ahead of UTC.',
    make: rewriteStream(({ createdAt }) => ({ createdAt: Number(createdAt) + 3_600_000 })),
  },
  'create-dates-all-alike': {
    description: 'createdAt of every stream is that of the first.',
    make: stretchTime(0),
  },
  'create-dates-backwards': {
    description: 'createdAt becomes smaller from stream to stream.',
    make: stretchTime(-1),
  },
  'create-dates-too-fast': {
    description: 'createdAt goes on ten times as fast as time.',
    make: stretchTime(10),
  },
  'create-shortens-stream-key': {
    description: 'streamKey has three groups.',
    make: rewriteStream(({ streamKey }) => ({ streamKey: String(streamKey).slice(0, 14) })),
  },
  'create-joins-stream-key': {
    description: 'streamKey has no hyphens.',
    make: rewriteStream(({ streamKey }) => ({ streamKey: String(streamKey).replaceAll('-', '') })),
  },
  'create-omits-playback-id': {
    description: 'A created stream has no playbackId.',
    make: rewriteStream(() => ({ playbackId: undefined })),
  },
  'create-empties-playback-id': {
    description: 'playbackId is an empty string until the stream is live.',
    make: rewriteStream(() => ({ playbackId: '' })),
  },
  'create-publishes-stream-key': {
    description: 'playbackId is the stream key.',
    make: rewriteStream(({ streamKey }) => ({ playbackId: streamKey })),
  },
  'create-repeats-stream-key': {
    description: 'Streams with the same name have the same streamKey.',
    make: repeatField('streamKey'),
  },
  'create-repeats-playback-id': {
    description: 'Streams with the same name have the same playbackId.',
    make: repeatField('playbackId'),
  },
  'create-demands-profiles': {
    description: 'A stream without profiles is refused.',
    make: refuseBodies(
      ({ name, profiles }) => name !== undefined && profiles === undefined,
      'profiles',
    ),
  },
  'create-invents-name': {
    description: 'A stream without a name gets a default name.',
    make: rewriteBody('create', (body) =>
      body['name'] === undefined ? { ...body, name: 'Untitled' } : undefined,
    ),
  },
  'create-invents-name-for-profiles': {
    description:
      'A stream without a name gets a default name if it has profiles, and is refused otherwise.',
    make: rewriteBody('create', (body) =>
      body['name'] === undefined && asProfiles(body['profiles']).length > 0
        ? { ...body, name: 'Untitled' }
        : undefined,
    ),
  },
  'create-shows-record-as-text': {
    description: 'record is the string "false" or "true".',
    make: rewriteStream(({ record }) => ({ record: String(record) })),
  },
  'create-shows-record-as-number': {
    description: 'record is 0 or 1.',
    make: rewriteStream(({ record }) => ({ record: Number(record) })),
  },
  'create-refuses-ladder': {
    description: 'More than two profiles are refused.',
    make: refuseBodies(({ profiles }) => asProfiles(profiles).length > 2, 'profiles: at most two'),
  },
  'create-accepts-numeric-name': {
    description: 'A number is accepted as a name.',
    make: rewriteBody('create', (body) =>
      typeof body['name'] === 'number' ? { ...body, name: String(body['name']) } : undefined,
    ),
  },
  'create-accepts-null-name': {
    description: 'null is accepted as an empty name.',
    make: rewriteBody('create', (body) =>
      body['name'] === null ? { ...body, name: '' } : undefined,
    ),
  },
  'create-accepts-any-profiles': {
    description: 'Profiles of another shape are ignored.',
    make: rewriteBody('create', ({ profiles, ...body }) =>
      profiles === undefined || isProfiles(profiles) ? undefined : body,
    ),
  },
  'create-refuses-other-profiles': {
    description: 'Profiles of other names than the recommended ones are refused.',
    make: refuseBodies(
      ({ profiles }) =>
        asProfiles(profiles).some(({ name }) => !/^(720|480|360)p$/.test(`${name}`)),
      'profiles: of another name',
    ),
  },
  'create-refuses-and-creates': {
    description: 'A stream without a name is refused, and still created.',
    make: onOperation('create', () => async ({ request, next, applied }) => {
      const body = await readBody(request);
      const response = await next(request.clone());
      if (body['name'] !== undefined || response.status !== 422) return response;
      applied();
      await next(withBody(request, { ...body, name: 'Untitled' }));
      return response;
    }),
  },
  'create-fails-on-malformed-json': {
    description: 'Malformed JSON is answered with 500.',
    make: rewriteResponse('create', ({ status }) =>
      status === 400 ? refuse(500, 'Unexpected end of JSON input') : undefined,
    ),
  },
  'create-takes-id': {
    description: 'A stream has the id that the client sent.',
    make: onOperation('create', () => async ({ request, next, applied }) => {
      const { id, ...body } = await readBody(request);
      if (id === undefined) return next(request);
      applied();
      const response = await next(withBody(request, body));
      return withJson(response, { ...((await response.json()) as JsonObject), id });
    }),
  },
};

/** Shows times that pass at another speed, from the first stream on. */
function stretchTime(speed: number): Mutant['make'] {
  return rewriteJson('create', () => {
    let first: number | undefined;
    return (value) => {
      const stream = value as JsonObject;
      const time = Number(stream['createdAt']);
      first ??= time;
      return { ...stream, createdAt: first + speed * (time - first) };
    };
  });
}

/** Changes fields of a created stream; `clock` is the time of the request in milliseconds, 16 digits. */
function stampStream(change: (clock: string, stream: JsonObject) => JsonObject): Mutant['make'] {
  return onOperation('create', () => async ({ request, next, applied }) => {
    const clock = String(Date.now()).padStart(16, '0');
    const response = await next(request);
    if (!response.ok) return response;
    applied();
    const stream = (await response.json()) as JsonObject;
    return withJson(response, { ...stream, ...change(clock, stream) });
  });
}

/** Gives streams other ids, and translates them in every address and every response. */
function renameStreams(
  name: (facts: { readonly count: number; readonly clock: string }) => string,
): Mutant['make'] {
  return (next, applied) => {
    const real = new Map<string, string>();
    const shown = new Map<string, string>();
    const toReal = (address: string): string =>
      address.replace(/(?<=\/streams?\/)[^/?]+/, (id) => real.get(id) ?? id);
    const toShown = (text: string): string =>
      text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => shown.get(id) ?? id);
    const renamed = stampStream((clock, stream) => {
      const id = name({ count: shown.size + 1, clock });
      shown.set(String(stream['id']), id);
      if (!real.has(id)) real.set(id, String(stream['id']));
      return { id };
    })(next, applied);
    return async (request) => {
      const response = await renamed(new Request(toReal(request.url), request));
      if (!response.headers.get('content-type')?.includes('json')) return response;
      const headers = new Headers(response.headers);
      headers.delete('content-length');
      return new Response(toShown(await response.text()), { status: response.status, headers });
    };
  };
}

function rewriteName(change: (name: string) => string): Mutant['make'] {
  return rewriteBody('create', (body) => {
    if (typeof body['name'] !== 'string') return undefined;
    const name = change(body['name']);
    return name === body['name'] ? undefined : { ...body, name };
  });
}

function rewriteEachProfile(change: (profile: JsonObject) => object | undefined): Mutant['make'] {
  return rewriteProfiles((profiles) =>
    profiles.map((profile) => ({ ...profile, ...change(profile) })),
  );
}

function rewriteProfiles(change: (profiles: JsonObject[]) => JsonObject[]): Mutant['make'] {
  return rewriteBody('create', (body) => {
    if (!isProfiles(body['profiles'])) return undefined;
    const profiles = change(body['profiles']);
    const same = JSON.stringify(profiles) === JSON.stringify(body['profiles']);
    return same ? undefined : { ...body, profiles };
  });
}

/** Shows a field as it was in the first stream with the same name. */
function repeatField(field: string): Mutant['make'] {
  return rewriteJson('create', () => {
    const first = new Map<unknown, unknown>();
    return (value) => {
      const stream = value as JsonObject;
      const { name } = stream;
      if (first.has(name)) return { ...stream, [field]: first.get(name) };
      first.set(name, stream[field]);
      return undefined;
    };
  });
}

function refuseBodies(when: (body: JsonObject) => boolean, text: string): Mutant['make'] {
  return onOperation('create', () => async ({ request, next, applied }) => {
    if (!when(await readBody(request))) return next(request);
    applied();
    return refuse(422, text);
  });
}

function asProfiles(value: unknown): readonly JsonObject[] {
  return isProfiles(value) ? value : [];
}

function isProfiles(value: unknown): value is JsonObject[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}
