import { expectRefusal, isSuccess } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import { post, recordCall, recordedPath, unknownId } from '../target/operations.ts';
import type { Call, Credential } from '../target/target.ts';
import type { CheckContext } from './check-context.ts';
import type { Requirement, TestableRequirement } from './requirement.ts';
import { expectUnchanged } from './unchanged.ts';

const area = 'authentication';
const level = 'must';

interface Operation {
  readonly need: 'writes' | 'stream';
  /** A stream to call it on; listing changes nothing, and so takes the one that was given. */
  readonly stream: (context: CheckContext) => Promise<{ readonly id: string }>;
  readonly call: (id: string) => Call;
  /** The requirements on what it answers. */
  readonly see: string;
}

/** The three operations. */
const operations = {
  create: {
    need: 'writes',
    stream: (context) => context.createStream(),
    call: () => post({ name: 'conformance' }),
    see: 'CREATE-1',
  },
  record: {
    need: 'writes',
    stream: (context) => context.createStream(),
    call: (id) => recordCall(id, { record: false }),
    see: 'RECORD-2 and RECORD-4',
  },
  list: {
    need: 'stream',
    stream: (context) => context.anyStream(),
    call: (id) => ({ method: 'GET', path: recordedPath(id) }),
    see: 'LIST-1 and LIST-16',
  },
} as const satisfies Record<string, Operation>;

const credentials = {
  none: {
    words: 'without a key',
    because: 'The authorization header is required on every request.',
  },
  wrong: {
    words: 'with a key that was never given out',
    because:
      'The credential is an API key; what is accepted without one being known is no credential.',
  },
} as const satisfies Partial<Record<Credential, { words: string; because: string }>>;

const near = {
  short: 'with a key that lacks the last character of the right one',
  long: 'with a key that has a character more than the right one',
  similar: 'with a key that differs from the right one in one character',
} as const satisfies Partial<Record<Credential, string>>;

/** Authentication (interface 5). */
export const authenticationRequirements: readonly Requirement[] = [
  refuses('AUTH-1', 'Creating a stream', 'create', 'none'),
  refuses('AUTH-2', 'Switching recording', 'record', 'none'),
  refuses('AUTH-3', 'Listing recorded sessions', 'list', 'none'),
  refuses('AUTH-4', 'Creating a stream', 'create', 'wrong'),
  refuses('AUTH-5', 'Switching recording', 'record', 'wrong'),
  refuses('AUTH-6', 'Listing recorded sessions', 'list', 'wrong'),
  {
    id: 'AUTH-7',
    area,
    level,
    clause: '5, 4.2',
    statement: 'A request that is refused for its key does not switch recording.',
    basis: { kind: 'derived', because: 'A refused request has no effect.' },
    needs: ['writes'],
    mutants: ['auth-refuses-and-switches'],
    async check(context) {
      const stream = await context.createStream();
      await expectUnchanged(context, stream, {
        refusedBy: 'AUTH-2 and AUTH-5',
        calls: (record) =>
          (['none', 'wrong'] as const).map((credential) => ({
            ...recordCall(stream.id, { record }),
            credential,
          })),
      });
    },
  },
  refusesNear('AUTH-8', 'Switching recording', 'record', 'AUTH-5'),
  refusesNear('AUTH-9', 'Listing recorded sessions', 'list', 'AUTH-6'),
];

function refuses(
  id: string,
  what: string,
  operation: keyof typeof operations,
  credential: keyof typeof credentials,
): TestableRequirement {
  const { words, because } = credentials[credential];
  const { need, stream, call: callOn, see } = operations[operation];
  return {
    id,
    area,
    level,
    clause: '5',
    statement: `${what} ${words} is refused.`,
    basis: { kind: 'derived', because },
    needs: [need],
    mutants: [
      `auth-${operation}-accepts-${credential}`,
      ...(credential === 'none' ? [`auth-${operation}-accepts-empty`] : []),
    ],
    async check(context: CheckContext) {
      const { id } = await stream(context);
      const call = callOn(id);
      await expectAllowed(context, call, see);
      expectRefusal(await context.call({ ...call, credential }), `a request ${words}`);
      if (credential === 'none') {
        const headers = { authorization: 'Bearer ' };
        expectRefusal(
          await context.call({ ...call, credential, headers }),
          'a request with an empty key',
        );
      }
    },
  };
}

/**
 * Never asked of creating a stream: of a service where a near key happens to be another's, a stream
 * of one's own refuses it all the same.
 */
function refusesNear(
  id: string,
  what: string,
  operation: 'record' | 'list',
  wrongRefusedBy: string,
): TestableRequirement {
  return {
    id,
    area,
    level,
    clause: '5',
    statement: `${what} with a key that is almost the right one is refused.`,
    basis: {
      kind: 'derived',
      because: 'The credential is an API key, and a key that differs in anything is another.',
    },
    needs: ['writes'],
    mutants: Object.keys(near).map((credential) => `auth-${operation}-accepts-${credential}`),
    async check(context) {
      const { id } = await context.createStream();
      const { call: callOn, see } = operations[operation];
      const call = callOn(id);
      await expectAllowed(context, call, see);
      if (isSuccess(await context.call({ ...call, credential: 'wrong' }))) {
        throw new Blocked(`a target that tells keys apart; see ${wrongRefusedBy}`);
      }
      for (const [credential, words] of Object.entries(near)) {
        const response = await context.call({
          ...call,
          credential: credential as keyof typeof near,
        });
        if (isSuccess(response)) await expectUnknownRefused(context, callOn(unknownId));
        expectRefusal(response, `a request ${words}`);
      }
    },
  };
}

/** Where an unknown stream is taken, so may be one that another key does not see. */
async function expectUnknownRefused(context: CheckContext, call: Call): Promise<void> {
  if (!isSuccess(await context.call(call))) return;
  throw new Blocked(
    'a stream that a key of another owner does not see: one that does not exist is taken as well',
  );
}

/** A refusal says something of the key only where the same request with the right key is no refusal. */
async function expectAllowed(context: CheckContext, call: Call, see: string): Promise<void> {
  const response = await context.call(call);
  if (isSuccess(response)) return;
  throw new Blocked(
    `${call.method} with the right key: expected a status from 200 to 299, got ${response.status}; see ${see}`,
  );
}
