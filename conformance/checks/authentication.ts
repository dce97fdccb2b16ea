import type { TargetCall } from '../../target/requests/call.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { expectRefusal } from '../../target/requests/expectations.ts';
import { Blocked, expectOfEach, fail } from '../../target/requests/failure.ts';
import { type NearKey, nearKeyWords } from '../../target/requests/near-keys.ts';
import { isRefused, isSuccess, type JsonObject } from '../../target/requests/read-response.ts';
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

/** Near keys, each with the words for a request that carries it. */
function nearCredentials(...kinds: readonly NearKey[]): BadCredentials {
  return Object.fromEntries(
    kinds.map((credential) => [
      `a request with a key that ${nearKeyWords[credential]}`,
      { credential },
    ]),
  );
}

/** How a request is sent without the right key, by the words for it. */
type BadCredentials = Readonly<Record<string, Partial<TargetCall>>>;

/** Credentials that every operation refuses, and how they are sent. */
const badCredentials = {
  none: {
    words: 'without a key',
    because: 'The authorization header is required on every request.',
    sent: {
      'a request without a key': { credential: 'none' },
      'a request with an empty key': header('Bearer '),
    },
  },
  wrong: {
    words: 'with a credential that was never issued',
    because: 'The credential is an API key as a bearer token; what was made up is not one.',
    sent: {
      'a request with a key that was never issued': { credential: 'wrong' },
      // What a script sends whose variable is empty.
      'a request with the key "undefined"': header('Bearer undefined'),
      'a request with the key "null"': header('Bearer null'),
      // Made up: the right key in another scheme may be a second legal way.
      'a request with a made-up name and password': header(
        `Basic ${btoa('livestream-mock:made-up')}`,
      ),
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
} as const satisfies Record<
  string,
  { readonly words: string; readonly because: string; readonly sent: BadCredentials }
>;

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
      await expectEachRefused(context, call, bad.sent);
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
      await expectEachRefused(context, call, bad.sent);
    },
  };
}

/**
 * Expects a request to be refused with each of some credentials. A failure names all that were accepted.
 * @throws Blocked if the right key has no near key of any of these kinds
 */
async function expectEachRefused(
  context: CheckContext,
  call: TargetCall,
  credentials: BadCredentials,
): Promise<void> {
  const notSent: Blocked[] = [];
  const accepted: { readonly words: string; readonly response: TargetResponse }[] = [];
  for (const [words, credential] of Object.entries(credentials)) {
    const response = await context.call({ ...call, ...credential }).catch((exception: unknown) => {
      if (!(exception instanceof Blocked)) throw exception;
      notSent.push(exception);
    });
    if (response !== undefined && !isRefused(response)) accepted.push({ words, response });
  }
  const [missing] = notSent;
  if (missing !== undefined && notSent.length === Object.keys(credentials).length) throw missing;
  const [first, ...others] = accepted;
  if (first === undefined) return;
  if (others.length === 0) return expectRefusal(first.response, first.words);
  const list = accepted.map(({ words, response }) => `${words} (${response.status})`).join(', ');
  fail(
    `expected these to be refused with a status from 400 to 499, got others: ${list}`,
    first.response,
    ...others.map(({ response }) => response),
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
