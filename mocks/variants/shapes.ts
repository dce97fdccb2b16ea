import { isObject } from '../../interface/json.ts';
import { rewriteObjects } from './rewrite.ts';
import type { VariantTable } from './variant.ts';

/** What the interface leaves open about how streams and sessions look in JSON. */
export const shapeVariants = {
  'keys-more': {
    statement:
      'Streams and sessions had another key, more, that nobody had heard of: an object with null in it.',
    clause: '2.1',
    argument: '2.1 says that other keys of streams and sessions are not shown.',
    metBy: 'read any stream or session',
    audience: 'app',
    rewrite: rewriteObjects((view) =>
      typeof view['id'] === 'string' ? { ...view, more: { of: [1, null] } } : view,
    ),
  },
  'keys-documented-only': {
    statement:
      'Streams and sessions had no keys but those that the interface names (and kind): no isActive, no lastSeen, no name of a session.',
    clause: '2.1',
    argument: '2.1 says that other keys are not shown, so no client can count on any of them.',
    metBy: 'read any stream or session',
    audience: 'app',
    dialect: {
      behaviours: {
        'stream.further-keys': { kind: 'stream' },
        'session.further-keys': { kind: 'session' },
        'session.mp4Url': 'absent',
      },
    },
  },
  'keys-reordered': {
    statement: 'The keys of every object came in the opposite order.',
    clause: '2.1',
    argument: 'The interface speaks of JSON objects, whose keys have no order.',
    metBy: 'read any stream or session',
    audience: 'app',
    rewrite: rewriteObjects((view) => Object.fromEntries(Object.entries(view).reverse())),
  },
  'profiles-show-more': {
    statement: 'Profiles came back with keys that nobody had sent, such as the encoder.',
    clause: '2.2',
    argument:
      '2.2 does not say that a profile has no other keys, and each that was submitted is still there, with its value.',
    metBy: 'read a stream or session with profiles',
    audience: 'app',
    rewrite: rewriteObjects((view) => {
      const { profiles } = view;
      if (!Array.isArray(profiles)) return view;
      const more = { encoder: 'H.264', gop: '2.0' };
      return {
        ...view,
        profiles: profiles.map((profile) =>
          isObject(profile) ? { ...profile, ...more } : profile,
        ),
      };
    }),
  },
  'profiles-absent': {
    statement: 'Streams created without profiles had no key profiles.',
    clause: '2.1',
    argument:
      '2.1 says that profiles may be omitted, and 4.1 returns those that were submitted: no clause puts an empty array in their place.',
    metBy: 'read a stream that was created without profiles',
    audience: 'app',
    dialect: { behaviours: { 'profiles.default': { omitted: 'absent' } } },
  },
  'record-not-shown': {
    statement: 'Streams did not show whether they were recorded.',
    clause: '2.1',
    argument:
      '4.1 does not name record among the keys of a created stream, and 4.4 shows no payload.',
    metBy: 'read any stream',
    audience: 'app',
    isApart: true,
    dialect: { behaviours: { 'stream.record': 'absent' } },
  },
  'spelling-mp4URL-alone': {
    statement: 'Sessions had mp4URL, and no mp4Url.',
    clause: '2.3',
    argument: '2.3 names mp4URL, and no other spelling.',
    metBy: 'read a session whose recording is ready',
    audience: 'app',
    dialect: { behaviours: { 'session.mp4Url': 'absent' } },
  },
  'stream-key-masked': {
    statement: 'Only the response to a creation showed the stream key; later it was masked.',
    clause: '4.4',
    argument:
      '4.1 promises the key in the created stream, and 4.4 shows no payload of other operations.',
    metBy: 'read a stream again after its creation',
    audience: 'app',
    rewrite: rewriteObjects((view, { request }) =>
      request.method === 'GET' && typeof view['streamKey'] === 'string'
        ? { ...view, streamKey: `****-****-****-${view['streamKey'].slice(-4)}` }
        : view,
    ),
  },
  'clock-ahead': {
    statement: 'The clock of the service was seven minutes ahead, so createdAt was in the future.',
    clause: '2.1',
    argument: '2.1 says what createdAt is, and not whose clock it comes from.',
    metBy: 'read any stream or session',
    ofTest:
      'If only a test compares createdAt with what it set up, let it allow for the difference.',
    audience: 'app',
    rewrite: changeCreation((time) => time + 7 * 60_000),
  },
  'clock-in-seconds': {
    statement: 'createdAt was in milliseconds, and always a whole second.',
    clause: '2.1',
    argument: '2.1 gives the unit of createdAt, and not how exact it is.',
    metBy: 'create a stream at a moment that is no whole second',
    ofTest:
      'If only a test compares createdAt with what it set up, let it allow for the difference.',
    audience: 'app',
    rewrite: changeCreation((time) => time - (time % 1_000)),
  },
  'json-without-charset': {
    statement: 'The content type of JSON was application/json, without a charset.',
    clause: '5',
    argument: 'Clause 5 names the content type of requests, and none of responses.',
    metBy: 'send any request that returns JSON',
    audience: 'app',
    dialect: { behaviours: { 'http.json-type': 'application/json' } },
  },
  'json-of-a-vendor': {
    statement: 'The content type of JSON was application/vnd.stream+json.',
    clause: '5',
    argument: 'Clause 5 names the content type of requests, and none of responses.',
    metBy: 'send any request that returns JSON',
    audience: 'app',
    dialect: { behaviours: { 'http.json-type': 'application/vnd.stream+json' } },
  },
  'created-with-location': {
    statement: 'The response to a creation had a Location header.',
    clause: '4.1',
    argument: '4.1 states the status and the body of a creation, and no headers.',
    metBy: 'create a stream',
    audience: 'app',
    dialect: { behaviours: { 'create.location': 'present' } },
  },
} as const satisfies VariantTable;

/** Changes when everything was created, wherever that is shown. */
function changeCreation(change: (time: number) => number) {
  return rewriteObjects((view) =>
    typeof view['createdAt'] === 'number'
      ? { ...view, createdAt: change(view['createdAt']) }
      : view,
  );
}
