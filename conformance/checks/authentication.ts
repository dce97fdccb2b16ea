import type { TargetResponse } from '../target/exchange.ts';
import { expectRefusal, isSuccess } from '../target/expectations.ts';
import { Blocked, unlessPrevented } from '../target/failure.ts';
import { unknownId } from '../target/gate.ts';
import { type NearKeys, nearKeyWords } from '../target/near-keys.ts';
import { get, patchRecord, post, recordedSessionsPath } from '../target/operations.ts';
import type { TargetCall } from '../target/target.ts';
import type { CheckContext } from './check-context.ts';
import { type ListedRequirement, requirementsOf } from './requirement.ts';
import { expectUnchanged } from './unchanged.ts';

/** The operations on one stream. */
const calls = {
  record: (id: string): TargetCall => patchRecord(id, { record: false }),
  list: (id: string): TargetCall => get(recordedSessionsPath(id)),
} as const;

/** The stated operations, each as a request that succeeds with the right key. */
const operations = {
  create: {
    words: 'Creating a stream',
    need: 'writes',
    request: async ({ requestStream }) => post('/stream', (await requestStream()).sent),
    see: 'CREATE-1',
  },
  record: {
    words: 'Switching recording',
    need: 'writes',
    request: async ({ createStream }) => calls.record((await createStream()).id),
    see: 'RECORD-2 and RECORD-4',
  },
  list: {
    words: 'Listing recorded sessions',
    need: 'stream',
    request: async ({ anyStream }) => calls.list(await anyStream()),
    see: 'LIST-1 and LIST-16',
  },
} as const satisfies Record<string, Operation>;

interface Operation {
  readonly words: string;
  readonly need: 'writes' | 'stream';
  readonly request: (context: CheckContext) => Promise<TargetCall>;
  /** The requirements on its response. */
  readonly see: string;
}

/** Kinds of mutants that compare keys carelessly. */
const carelessComparisons = [
  'short',
  'long',
  'similar',
  'ends',
  'all-but-first',
  'all-but-last',
  'without-punctuation',
];

/** Authentication (interface 5). */
export const authenticationRequirements = requirementsOf(
  { area: 'authentication', needs: ['writes'] },
  [
    refusesNoKey('AUTH-1', 'create'),
    refusesNoKey('AUTH-2', 'record'),
    refusesNoKey('AUTH-3', 'list'),
    refusesWrongKey('AUTH-4', 'create'),
    refusesWrongKey('AUTH-5', 'record'),
    refusesWrongKey('AUTH-6', 'list'),
    {
      id: 'AUTH-7',
      clause: '5, 4.2',
      statement: 'A request that is refused for its key does not switch recording.',
      because: 'A refused request has no effect.',
      mutants: ['auth-refuses-and-switches'],
      async check(context) {
        const stream = await context.createStream();
        await expectUnchanged(context, stream, {
          refusedBy: 'AUTH-2 and AUTH-5',
          calls: (record) => [
            { ...patchRecord(stream.id, { record }), credential: 'none' },
            { ...patchRecord(stream.id, { record }), credential: 'wrong' },
          ],
        });
      },
    },
    refusesNearKeys('AUTH-8', 'record', 'AUTH-5'),
    refusesNearKeys('AUTH-9', 'list', 'AUTH-6'),
  ],
);

function refusesNoKey(id: string, operation: keyof typeof operations): ListedRequirement {
  const { words, need, request, see } = operations[operation];
  return {
    id,
    clause: '5',
    statement: `${words} without a key is refused.`,
    because: 'The authorization header is required on every request.',
    needs: [need],
    mutants: [`auth-${operation}-accepts-none`, `auth-${operation}-accepts-empty`],
    async check(context) {
      const call = await request(context);
      await expectAllowed(context, call, see);
      const withoutKey: TargetCall = { ...call, credential: 'none' };
      expectRefusal(await context.call(withoutKey), 'a request without a key');
      const withEmptyKey: TargetCall = { ...withoutKey, headers: { authorization: 'Bearer ' } };
      expectRefusal(await context.call(withEmptyKey), 'a request with an empty key');
    },
  };
}

function refusesWrongKey(id: string, operation: keyof typeof operations): ListedRequirement {
  const { words, need, request, see } = operations[operation];
  return {
    id,
    clause: '5',
    statement: `${words} with a key that was never issued is refused.`,
    because: 'The credential is an API key; a made-up key is not one.',
    needs: [need],
    mutants: [`auth-${operation}-accepts-wrong`],
    async check(context) {
      const call = await request(context);
      await expectAllowed(context, call, see);
      const response = await context.call({ ...call, credential: 'wrong' });
      expectRefusal(response, 'a request with a key that was never issued');
    },
  };
}

/**
 * Not required of creating a stream: if a near key happens to be another owner's, creating may
 * succeed, while a stream of one's own must still be refused.
 */
function refusesNearKeys(
  id: string,
  operation: keyof typeof calls,
  wrongRefusedBy: string,
): ListedRequirement {
  const { words, see } = operations[operation];
  return {
    id,
    clause: '5',
    statement: `${words} with a key that is almost the right one is refused.`,
    because: 'The credential is an API key, and a key with any difference is another.',
    mutants: carelessComparisons.map((kind) => `auth-${operation}-accepts-${kind}`),
    async check(context) {
      const call = calls[operation]((await context.createStream()).id);
      await expectAllowed(context, call, see);
      if (isSuccess(await context.call({ ...call, credential: 'wrong' }))) {
        throw new Blocked(`a target that tells keys apart; see ${wrongRefusedBy}`);
      }
      for (const [name, difference] of Object.entries(nearKeyWords)) {
        const credential = name as keyof NearKeys;
        const response = await context.call({ ...call, credential });
        if (await isListedAsEmpty(context, credential, response)) continue;
        if (isSuccess(response)) await expectUnknownRefused(context, calls[operation](unknownId));
        expectRefusal(response, `a request with a key that ${difference}`);
      }
    },
  };
}

/**
 * Whether a near key, which may be another owner's, sees an empty list even of a stream with sessions: so
 * it is not taken for the right one. Without an encoder there is no such stream.
 */
async function isListedAsEmpty(
  context: CheckContext,
  credential: keyof NearKeys,
  response: TargetResponse,
): Promise<boolean> {
  if (!isEmptyList(response)) return false;
  const history = await unlessPrevented(context.history());
  if (history === undefined || history.switched.listed.length === 0) return false;
  const list = calls.list(history.switched.stream.id);
  return isEmptyList(await context.call({ ...list, credential }));
}

function isEmptyList(response: TargetResponse): boolean {
  return isSuccess(response) && /^\s*\[\s*\]\s*$/.test(response.text);
}

/** A target that accepts unknown streams may accept those that another key cannot see. */
async function expectUnknownRefused(context: CheckContext, call: TargetCall): Promise<void> {
  if (!isSuccess(await context.call(call))) return;
  throw new Blocked(
    'a stream that a key of another owner cannot see: one that does not exist is accepted as well',
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
