import type { TargetResponse } from '../target/exchange.ts';
import { expectRefusal, isSuccess } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import { unknownId } from '../target/gate.ts';
import { get, patch, post, recordedSessionsPath, recordPath } from '../target/operations.ts';
import type { Call } from '../target/target.ts';
import type { CheckContext } from './check-context.ts';
import { derived, type Requirement, type TestableRequirement } from './requirement.ts';
import { expectUnchanged } from './unchanged.ts';

const common = { area: 'authentication', level: 'must', clause: '5' } as const;

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
    request: async ({ createStream }) =>
      patch(recordPath((await createStream()).id), { record: false }),
    see: 'RECORD-2 and RECORD-4',
  },
  list: {
    words: 'Listing recorded sessions',
    need: 'stream',
    request: async ({ anyStream }) => get(recordedSessionsPath((await anyStream()).id)),
    see: 'LIST-1 and LIST-16',
  },
} as const satisfies Record<string, Operation>;

interface Operation {
  readonly words: string;
  readonly need: 'writes' | 'stream';
  readonly request: (context: CheckContext) => Promise<Call>;
  /** The requirements on its response. */
  readonly see: string;
}

/** Kinds of mutants that compare keys carelessly. */
const carelessComparisons = [
  ...['short', 'long', 'similar'],
  ...['ends', 'all-but-first', 'all-but-last', 'without-punctuation'],
];

/** Authentication (interface 5). */
export const authenticationRequirements: readonly Requirement[] = [
  refusesNoKey('AUTH-1', 'create'),
  refusesNoKey('AUTH-2', 'record'),
  refusesNoKey('AUTH-3', 'list'),
  refusesWrongKey('AUTH-4', 'create'),
  refusesWrongKey('AUTH-5', 'record'),
  refusesWrongKey('AUTH-6', 'list'),
  {
    ...common,
    id: 'AUTH-7',
    clause: '5, 4.2',
    statement: 'A request that is refused for its key does not switch recording.',
    basis: derived('A refused request has no effect.'),
    needs: ['writes'],
    mutants: ['auth-refuses-and-switches'],
    async check(context) {
      const stream = await context.createStream();
      await expectUnchanged(context, stream, {
        refusedBy: 'AUTH-2 and AUTH-5',
        calls: (record) => [
          { ...patch(recordPath(stream.id), { record }), credential: 'none' },
          { ...patch(recordPath(stream.id), { record }), credential: 'wrong' },
        ],
      });
    },
  },
  refusesNearKeys('AUTH-8', {
    ...operations.record,
    request: (id) => patch(recordPath(id), { record: false }),
    wrongRefusedBy: 'AUTH-5',
    mutants: carelessComparisons.map((kind) => `auth-record-accepts-${kind}`),
  }),
  refusesNearKeys('AUTH-9', {
    ...operations.list,
    request: (id) => get(recordedSessionsPath(id)),
    wrongRefusedBy: 'AUTH-6',
    mutants: carelessComparisons.map((kind) => `auth-list-accepts-${kind}`),
  }),
];

function refusesNoKey(id: string, operation: keyof typeof operations): TestableRequirement {
  const { words, need, request, see } = operations[operation];
  return {
    ...common,
    id,
    statement: `${words} without a key is refused.`,
    basis: derived('The authorization header is required on every request.'),
    needs: [need],
    mutants: [`auth-${operation}-accepts-none`, `auth-${operation}-accepts-empty`],
    async check(context) {
      const call = await request(context);
      await expectAllowed(context, call, see);
      const withoutKey: Call = { ...call, credential: 'none' };
      expectRefusal(await context.call(withoutKey), 'a request without a key');
      const withEmptyKey: Call = { ...withoutKey, headers: { authorization: 'Bearer ' } };
      expectRefusal(await context.call(withEmptyKey), 'a request with an empty key');
    },
  };
}

function refusesWrongKey(id: string, operation: keyof typeof operations): TestableRequirement {
  const { words, need, request, see } = operations[operation];
  return {
    ...common,
    id,
    statement: `${words} with a key that was never issued is refused.`,
    basis: derived('The credential is an API key; a key that nobody issued is none.'),
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

const nearKeys = [
  { credential: 'short', words: 'with a key that lacks the last character of the right one' },
  { credential: 'long', words: 'with a key that has one character more than the right one' },
  { credential: 'similar', words: 'with a key that differs from the right one in one character' },
  { credential: 'middle', words: 'with a key that differs from the right one in its middle' },
  { credential: 'last', words: 'with a key that differs from the right one at its end' },
] as const;

interface NearKeyRequirement extends Pick<TestableRequirement, 'mutants'> {
  readonly words: string;
  readonly request: (id: string) => Call;
  readonly see: string;
  readonly wrongRefusedBy: string;
}

/**
 * Not required of creating a stream: if a near key happens to be another owner's, creating may
 * succeed, while a stream of one's own must still be refused.
 */
function refusesNearKeys(id: string, requirement: NearKeyRequirement): TestableRequirement {
  const { words, request, see, wrongRefusedBy, mutants } = requirement;
  return {
    ...common,
    id,
    statement: `${words} with a key that is almost the right one is refused.`,
    basis: derived('The credential is an API key, and a key with any difference is another.'),
    needs: ['writes'],
    mutants,
    async check(context) {
      const stream = await context.createStream();
      const call = request(stream.id);
      await expectAllowed(context, call, see);
      if (isSuccess(await context.call({ ...call, credential: 'wrong' }))) {
        throw new Blocked(`a target that tells keys apart; see ${wrongRefusedBy}`);
      }
      for (const near of nearKeys) {
        const response = await context.call({ ...call, credential: near.credential });
        if (await isListedAsEmpty(context, near, response)) continue;
        if (isSuccess(response)) await expectUnknownRefused(context, request(unknownId));
        expectRefusal(response, `a request ${near.words}`);
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
  { credential }: (typeof nearKeys)[number],
  response: TargetResponse,
): Promise<boolean> {
  if (!isEmptyList(response)) return false;
  const history = await context.history().catch(() => undefined);
  if (history === undefined || history.switched.listed.length === 0) return false;
  const list = get(recordedSessionsPath(history.switched.stream.id));
  return isEmptyList(await context.call({ ...list, credential }));
}

function isEmptyList(response: TargetResponse): boolean {
  return isSuccess(response) && /^\s*\[\s*\]\s*$/.test(response.text);
}

/** A target that accepts unknown streams may accept those that another key cannot see. */
async function expectUnknownRefused(context: CheckContext, call: Call): Promise<void> {
  if (!isSuccess(await context.call(call))) return;
  throw new Blocked(
    'a stream that a key of another owner cannot see: one that does not exist is accepted as well',
  );
}

/** A refusal says something about the key only if the same request with the right key succeeds. */
async function expectAllowed(context: CheckContext, call: Call, see: string): Promise<void> {
  const response = await context.call(call);
  if (isSuccess(response)) return;
  throw new Blocked(
    `${call.method} with the right key: expected a status from 200 to 299, got ${response.status}; see ${see}`,
  );
}
