import type { JudgedRequirementId } from '../checks/catalogue.ts';
import { breaks, type Mutants } from './mutant.ts';
import { type Fetch, on, type Rewrite, type Route, type Step } from './rewrite.ts';

/** Whether a request is accepted with a key that is not the right one; the key is `undefined` if there is none. */
type Accepts = (key: string | undefined, rightKey: string) => boolean;

/** Ways to accept a key that is not the right one, by the key that is accepted. */
type Acceptances = Readonly<Record<string, Accepts>>;

/** Ways to accept that there is no key. */
const noKeys: Acceptances = {
  none: (key) => key === undefined,
  empty: (key) => key === '',
};

/** Ways to accept any key. */
const anyKeys: Acceptances = { wrong: (key) => Boolean(key) };

/** Ways to compare keys carelessly. */
const nearKeys: Acceptances = {
  cut: nearKey((key, rightKey) => rightKey.startsWith(key)),
  extended: nearKey((key, rightKey) => key.startsWith(rightKey)),
  similar: nearKey((key, rightKey) => key.toLowerCase() === rightKey.toLowerCase()),
};

function nearKey(accepts: (key: string, rightKey: string) => boolean): Accepts {
  return (key, rightKey) => Boolean(key) && key !== rightKey && accepts(key ?? '', rightKey);
}

/** Mutants of authentication. */
export const authenticationMutants: Mutants = {
  ...acceptEach('AUTH-1', 'create', noKeys),
  ...acceptEach('AUTH-2', 'record', noKeys),
  ...acceptEach('AUTH-3', 'list', noKeys),
  ...acceptEach('AUTH-4', 'create', anyKeys),
  ...acceptEach('AUTH-5', 'record', anyKeys),
  ...acceptEach('AUTH-6', 'list', anyKeys),
  ...acceptEach('AUTH-8', 'record', nearKeys),
  ...acceptEach('AUTH-9', 'list', nearKeys),
  'auth-create-refuses-and-creates': breaks('CREATE-20', refuseAndDo('create')),
  'auth-refuses-and-switches': breaks('AUTH-7', refuseAndDo('record')),
};

/** Mutants of an operation that accept such keys: `auth-list-accepts-none`. */
function acceptEach(
  requirement: JudgedRequirementId,
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

function keyOf(authorization: string | null): string | undefined {
  return authorization?.replace(/^bearer\s*/i, '');
}
