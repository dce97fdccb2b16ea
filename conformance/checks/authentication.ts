import type { TargetCall } from '../../target/requests/call.ts';
import { expectAllRefused } from '../../target/requests/expectations.ts';
import { Blocked, expectOfEach, fail } from '../../target/requests/failure.ts';
import { type NearKey, nearKeyWords } from '../../target/requests/near-keys.ts';
import { isSuccess, type JsonObject } from '../../target/requests/read-response.ts';
import {
  get,
  patchRecord,
  post,
  recordedSessionsPath,
  type statedOperations,
} from '../../target/streams/stream-requests.ts';
import { show } from '../../text/phrases.ts';
import type { CheckContext } from './check-context.ts';
import { type ListedRequirement, requirementsOf } from './requirement.ts';
import { expectUnchanged } from './unchanged.ts';

/** The stated operations, each as a request that succeeds with the right key. */
const operations = {
  create: {
    words: 'Creating a stream',
    need: 'writes',
    async request({ requestStream }: CheckContext) {
      const { sent = '{}' } = await requestStream();
      // Each request gets a name of its own: a target may refuse one that another stream has.
      return post('/stream', { ...(JSON.parse(sent) as JsonObject), name: 'check' });
    },
    see: 'CREATE-1',
  },
  record: {
    words: 'Switching recording',
    need: 'writes',
    request: async ({ createStream }: CheckContext) =>
      patchRecord((await createStream()).id, { record: false }),
    see: 'RECORD-2 and RECORD-4',
  },
  list: {
    words: 'Listing recorded sessions',
    need: 'stream',
    request: async ({ anyStream }: CheckContext) => get(recordedSessionsPath(await anyStream())),
    see: 'LIST-1 and LIST-16',
  },
} as const satisfies Record<keyof typeof statedOperations, object>;

/** A header instead of one with a key. */
function header(authorization: string): Partial<TargetCall> {
  return { credential: 'none', headers: { authorization } };
}

/** How near keys are sent, by the words for them. */
function nearCredentials(...kinds: readonly NearKey[]): BadCredentials['sent'] {
  return Object.fromEntries(
    kinds.map((credential) => [`a key that ${nearKeyWords[credential]}`, { credential }]),
  );
}

/** Credentials of one kind. */
interface BadCredentials {
  /** How a request is sent with one of them, in words. */
  readonly words: string;
  readonly because: string;
  /** How a request is sent with each of them, by the words for it. */
  readonly sent: Readonly<Record<string, Partial<TargetCall>>>;
}

/** Credentials that every operation refuses, and how they are sent. */
const badCredentials = {
  none: {
    words: 'without a key',
    because: 'The authorization header is required on every request.',
    sent: {
      'no key': { credential: 'none' },
      'an empty key': header('Bearer '),
    },
  },
  wrong: {
    words: 'with a credential that was never issued',
    because: 'The credential is an API key as a bearer token; what was made up is not one.',
    sent: {
      'a key that was never issued': { credential: 'wrong' },
      // What a script sends whose variable is empty.
      'the key "undefined"': header('Bearer undefined'),
      'the key "null"': header('Bearer null'),
      // Made up: the right key in another scheme may be a second legal way.
      'a made-up name and password': header(`Basic ${btoa('livestream-mock:made-up')}`),
    },
  },
  near: {
    words: 'with a key that is almost the right one',
    because: 'The credential is an API key, and a key that differs in any way is a different key.',
    sent: nearCredentials('cut', 'extended', 'first', 'middle', 'last'),
  },
  spelled: {
    words: 'with a key that differs only in letter case or punctuation',
    because:
      'A key that differs in any way is a different key; but a service whose keys are UUIDs may compare them as such.',
    sent: nearCredentials('letterCase', 'punctuation'),
  },
} as const satisfies Record<string, BadCredentials>;

/** Authentication (interface 5). */
export const authenticationRequirements = requirementsOf('authentication', ['writes'], {
  'AUTH-1': refusesCredentials('create', 'none'),
  'AUTH-2': refusesCredentials('record', 'none'),
  'AUTH-3': refusesCredentials('list', 'none'),
  'AUTH-4': refusesCredentials('create', 'wrong'),
  'AUTH-5': refusesCredentials('record', 'wrong'),
  'AUTH-6': refusesCredentials('list', 'wrong'),
  'AUTH-7': {
    clause: '5, 4.2',
    statement: 'A request that is refused for its key does not switch recording.',
    because: 'A refused request has no effect.',
    async check(context) {
      const stream = await context.createStream();
      const requests = (record: boolean): TargetCall[] => [
        { ...patchRecord(stream.id, { record }), credential: 'none' },
        { ...patchRecord(stream.id, { record }), credential: 'wrong' },
      ];
      await expectUnchanged(context, stream, requests, 'AUTH-2 and AUTH-5');
    },
  },
  'AUTH-8': refusesNearKeys('record', 'near', 'AUTH-5'),
  'AUTH-9': refusesNearKeys('list', 'near', 'AUTH-6'),
  'AUTH-10': {
    level: 'should',
    clause: '5, 4.3',
    statement: 'A refusal for a missing or wrong key shows no sessions.',
    because: 'The key protects what the list shows, whatever the status is.',
    needs: ['session'],
    async check({ call, recording }) {
      const { streamId, sessions } = await recording('any');
      const requests = { none: 'a request without a key', wrong: 'a request with a wrong key' };
      await expectOfEach(['none', 'wrong'] as const, async (credential) => {
        const response = await call({ ...get(recordedSessionsPath(streamId)), credential });
        // AUTH-3 and AUTH-6 judge whether it is refused.
        if (isSuccess(response)) return;
        const shown = sessions.find((session) => response.text.includes(show(session['id'])));
        if (shown === undefined) return;
        fail(
          `${requests[credential]}: expected a refusal without sessions, got status ${response.status} and a body with the session ${show(shown['id'])}`,
          response,
        );
      });
    },
  },
  'AUTH-11': { ...refusesNearKeys('record', 'spelled', 'AUTH-5'), level: 'should' },
  'AUTH-12': { ...refusesNearKeys('list', 'spelled', 'AUTH-6'), level: 'should' },
});

/** A requirement that an operation refuses credentials. */
function refusesCredentials(
  operation: keyof typeof operations,
  kind: 'none' | 'wrong',
): ListedRequirement {
  const { words, need, request, see } = operations[operation];
  const bad = badCredentials[kind];
  return {
    clause: '5',
    statement: `${words} ${bad.words} is refused.`,
    because: bad.because,
    needs: [need],
    async check(context) {
      const call = await request(context);
      await expectAllowed(context, call, see);
      await expectCredentialsRefused(context, call, bad);
    },
  };
}

/**
 * A requirement that an operation refuses keys that are almost the right one. They are not sent to create a stream: one
 * may happen to belong to someone else, who may create streams, but not access this one.
 * @param wrongRefusedBy the requirement that judges whether keys are distinguished at all
 */
function refusesNearKeys(
  operation: 'record' | 'list',
  kind: 'near' | 'spelled',
  wrongRefusedBy: string,
): ListedRequirement {
  const { words, request, see } = operations[operation];
  const bad = badCredentials[kind];
  return {
    clause: '5',
    statement: `${words} ${bad.words} is refused.`,
    because: bad.because,
    async check(context) {
      const call = await request(context);
      await expectAllowed(context, call, see);
      if (isSuccess(await context.call({ ...call, credential: 'wrong' }))) {
        throw new Blocked(`needs a target that distinguishes keys; see ${wrongRefusedBy}`);
      }
      await expectCredentialsRefused(context, call, bad);
    },
  };
}

/** Expects a request to be refused with each credential of a kind. */
function expectCredentialsRefused(
  context: CheckContext,
  call: TargetCall,
  { words, sent }: BadCredentials,
): Promise<void> {
  return expectAllRefused(
    context.call,
    `requests ${words}`,
    Object.entries(sent),
    ([, credential]) => ({ ...call, ...credential }),
    ([credentialWords]) => credentialWords,
  );
}

/** A refusal says something about the key only if the same request with the right key succeeds. */
async function expectAllowed(context: CheckContext, call: TargetCall, see: string): Promise<void> {
  const response = await context.call(call);
  if (isSuccess(response)) return;
  throw new Blocked(
    `${call.method} with the right key: expected a status from 200 to 299, got ${response.status}; see ${see}`,
  );
}
