import type { Fetch, Rewrite } from '../../mocks/messages/client-request.ts';
import { on, type Route, type Step } from '../../mocks/variants/rewrite.ts';
import { type BreakableRequirement, breaks, type Mutants } from './mutant.ts';

/**
 * Whether a request is accepted with another authorization header than the right one.
 * @param key the key in the header; the header itself if it is not a bearer token, `undefined` if there is none
 */
type Accepts = (key: string | undefined, rightKey: string) => boolean;

/** Ways to accept a credential that is not the right one, by what is accepted. */
type Acceptances = Readonly<Record<string, Accepts>>;

/** Ways to accept that there is no key. */
const noKeys: Acceptances = {
  none: (key) => key === undefined,
  empty: (key) => key === '',
};

/** Ways to accept what was made up. */
const madeUpKeys: Acceptances = {
  wrong: (key) => Boolean(key),
  undefined: (key) => key === 'undefined',
  null: (key) => key === 'null',
  basic: (key) => /^basic /i.test(key ?? ''),
};

/** Ways to compare keys carelessly. */
const nearKeys: Acceptances = {
  cut: nearKey((key, rightKey) => rightKey.startsWith(key)),
  extended: nearKey((key, rightKey) => key.startsWith(rightKey)),
  'same-beginning': nearKey((key, rightKey) => {
    const half = Math.floor(rightKey.length / 2);
    return key.slice(0, half) === rightKey.slice(0, half);
  }),
  'same-end': nearKey((key, rightKey) => {
    const half = Math.floor(rightKey.length / 2);
    return key.slice(-half) === rightKey.slice(-half);
  }),
  'same-ends': nearKey((key, rightKey) => {
    const third = Math.floor(rightKey.length / 3);
    const endsOf = (text: string): string => text.slice(0, third) + text.slice(-third);
    return endsOf(key) === endsOf(rightKey);
  }),
};

/** Ways to compare keys as UUIDs are compared. */
const spelledKeys: Acceptances = {
  'letter-case': nearKey((key, rightKey) => key.toLowerCase() === rightKey.toLowerCase()),
  punctuation: nearKey((key, rightKey) => withoutPunctuation(key) === withoutPunctuation(rightKey)),
};

function nearKey(accepts: (key: string, rightKey: string) => boolean): Accepts {
  return (key, rightKey) => Boolean(key) && key !== rightKey && accepts(key ?? '', rightKey);
}

function withoutPunctuation(key: string): string {
  return key.replace(/[^a-z\d]/gi, '');
}

/** Mutants of authentication. */
export const authenticationMutants: Mutants = {
  ...acceptEach('AUTH-1', 'create', noKeys),
  ...acceptEach('AUTH-2', 'record', noKeys),
  ...acceptEach('AUTH-3', 'list', noKeys),
  ...acceptEach('AUTH-4', 'create', madeUpKeys),
  ...acceptEach('AUTH-5', 'record', madeUpKeys),
  ...acceptEach('AUTH-6', 'list', madeUpKeys),
  ...acceptEach('AUTH-8', 'record', nearKeys),
  ...acceptEach('AUTH-9', 'list', nearKeys),
  ...acceptEach('AUTH-11', 'record', spelledKeys),
  ...acceptEach('AUTH-12', 'list', spelledKeys),
  'auth-create-refuses-and-creates': breaks('CREATE-20', refuseAndDo('create')),
  'auth-refuses-and-switches': breaks('AUTH-7', refuseAndDo('record')),
  'auth-list-refuses-and-shows': breaks(
    'AUTH-10',
    onceKeyed('list', async ({ respond }, _, retry) => {
      const refusal = await respond();
      if (refusal.status !== 401) return refusal;
      return new Response((await retry()).body, { status: 401, headers: refusal.headers });
    }),
  ),
};

/** Mutants of an operation that accept such keys: `auth-list-accepts-none`. */
function acceptEach(
  requirement: BreakableRequirement,
  operation: Route,
  kinds: Acceptances,
): Mutants {
  const mutants = Object.entries(kinds).map(([kind, accepts]) => {
    const mutant = onceKeyed(operation, ({ request }, rightHeader, retry) => {
      const sentHeader = request.headers.get('authorization');
      const isAccepted = accepts(keyOf(sentHeader), keyOf(rightHeader) ?? '');
      return sentHeader !== rightHeader && isAccepted ? retry() : undefined;
    });
    return [`auth-${operation}-accepts-${kind}`, breaks(requirement, mutant)] as const;
  });
  return Object.fromEntries(mutants);
}

function refuseAndDo(operation: Route): Rewrite {
  return onceKeyed(operation, async ({ respond }, _, retry) => {
    const refusal = await respond();
    if (refusal.status === 401) await retry();
    return refusal;
  });
}

type Handled = Response | undefined | Promise<Response | undefined>;

/** Handles requests; `retry` sends the request with the last key that was accepted. */
function onceKeyed(
  operation: Route,
  handle: (step: Step, right: string, retry: () => Promise<Response>) => Handled,
): Rewrite {
  return (next) => {
    let right = '';
    const noted: Fetch = async (request) => {
      const response = await next(request);
      if (response.ok) right = request.headers.get('authorization') ?? right;
      return response;
    };
    const handled = on(operation, (step) => {
      const { request, json, ask } = step;
      const headers = { authorization: right };
      return handle(step, right, () => ask(request.method, request.url, json, headers));
    });
    return handled(noted);
  };
}

/** The key in a header; the whole header if it has another scheme. */
function keyOf(authorization: string | null): string | undefined {
  return authorization?.replace(/^bearer\s*/i, '');
}
