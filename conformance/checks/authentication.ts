import type { TargetCall } from '../../target/requests/call.ts';
import { expectRefusal } from '../../target/requests/expectations.ts';
import { Blocked } from '../../target/requests/failure.ts';
import { nearKeyWords } from '../../target/requests/near-keys.ts';
import { isSuccess } from '../../target/requests/read-response.ts';
import {
  get,
  patchRecord,
  post,
  recordedSessionsPath,
  type statedOperations,
} from '../../target/streams/stream-requests.ts';
import type { CheckContext } from './check-context.ts';
import { type ListedRequirement, requirementsOf } from './requirement.ts';
import { expectUnchanged } from './unchanged.ts';

/** The stated operations, each as a request that succeeds with the right key. */
const operations = {
  create: {
    words: 'Creating a stream',
    need: 'writes',
    request: async ({ requestStream }: CheckContext) =>
      post('/stream', (await requestStream()).sent),
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

/** Keys that every operation refuses, and how they are sent. */
const badKeys = {
  none: {
    words: 'without a key',
    because: 'The authorization header is required on every request.',
    sent: {
      'a request without a key': { credential: 'none' },
      'a request with an empty key': { credential: 'none', headers: { authorization: 'Bearer ' } },
    },
  },
  wrong: {
    words: 'with a key that was never issued',
    because: 'The credential is an API key; a made-up key is not one.',
    sent: { 'a request with a key that was never issued': { credential: 'wrong' } },
  },
  near: {
    words: 'with a key that is almost the right one',
    because: 'The credential is an API key, and a key that differs in any way is a different key.',
    sent: {
      [`a request with a key that ${nearKeyWords.cut}`]: { credential: 'cut' },
      [`a request with a key that ${nearKeyWords.extended}`]: { credential: 'extended' },
      [`a request with a key that ${nearKeyWords.similar}`]: { credential: 'similar' },
    },
  },
} as const;

/** Authentication (interface 5). */
export const authenticationRequirements = requirementsOf('authentication', ['writes'], {
  'AUTH-1': refusesKey('create', 'none'),
  'AUTH-2': refusesKey('record', 'none'),
  'AUTH-3': refusesKey('list', 'none'),
  'AUTH-4': refusesKey('create', 'wrong'),
  'AUTH-5': refusesKey('record', 'wrong'),
  'AUTH-6': refusesKey('list', 'wrong'),
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
  'AUTH-8': refusesKey('record', 'near', 'AUTH-5'),
  'AUTH-9': refusesKey('list', 'near', 'AUTH-6'),
});

/**
 * A requirement that an operation refuses a key. Near keys are not sent to create a stream: one may happen to
 * belong to someone else, who may create streams, but not access this one.
 * @param wrongRefusedBy for near keys, the requirement that judges whether keys are distinguished at all
 */
function refusesKey(
  operation: keyof typeof operations,
  key: keyof typeof badKeys,
  wrongRefusedBy?: string,
): ListedRequirement {
  const { words, need, request, see } = operations[operation];
  const { because, sent } = badKeys[key];
  return {
    clause: '5',
    statement: `${words} ${badKeys[key].words} is refused.`,
    because,
    needs: [wrongRefusedBy === undefined ? need : 'writes'],
    async check(context) {
      const call = await request(context);
      await expectAllowed(context, call, see);
      if (wrongRefusedBy && isSuccess(await context.call({ ...call, credential: 'wrong' }))) {
        throw new Blocked(`needs a target that distinguishes keys; see ${wrongRefusedBy}`);
      }
      for (const [label, wrongCall] of Object.entries(sent)) {
        expectRefusal(await context.call({ ...call, ...wrongCall }), label);
      }
    },
  };
}

/** A refusal says something about the key only if the same request with the right key succeeds. */
async function expectAllowed(context: CheckContext, call: TargetCall, see: string): Promise<void> {
  const response = await context.call(call);
  if (isSuccess(response)) return;
  throw new Blocked(
    `${call.method} with the right key: expected a status from 200 to 299, got ${response.status}; see ${see}`,
  );
}
