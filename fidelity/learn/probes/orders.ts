import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import {
  get,
  patch,
  post,
  recordedSessionsPath,
  recordPath,
  streamPath,
  unknownId,
} from '../../../conformance/target/operations.ts';
import type { Call } from '../../../conformance/target/target.ts';
import { usualBehaviours } from '../../../interface/silent.ts';
import type { Check, OrderBehaviours } from '../../../interface/silent-orders.ts';
import { textOf } from '../../json.ts';
import { nobodysQuery, unknownPath } from '../questions/inputs.ts';
import {
  type ProbeContext,
  type ProbesFor,
  type Question,
  refuseAlike,
} from '../questions/probe.ts';
import { anyStream, changedStream, plainInput } from '../questions/streams.ts';
import { acceptedUpdate } from './updates.ts';

/** A request to an operation that has certain errors and no others. */
type WithErrors = (context: ProbeContext, errors: readonly Check[]) => Promise<Call>;

/** Whether no request can have two errors at once. */
function excludeEachOther(one: Check, other: Check): boolean {
  const keys: readonly Check[] = ['wrong-key', 'no-key'];
  const contents: readonly Check[] = ['body', 'fields'];
  return [keys, contents].some((group) => group.includes(one) && group.includes(other));
}

/**
 * The order in which an operation notices errors: of each two, which response a request with both
 * gets. Those that cannot be told apart keep the usual order.
 * @param always errors that every request with two others has as well
 */
function orderOf(
  id: keyof OrderBehaviours,
  build: WithErrors,
  always: readonly Check[] = [],
): Question<readonly Check[]> {
  return async (context) => {
    const checks = usualBehaviours[id];
    const send = async (errors: readonly Check[]): Promise<TargetResponse> =>
      context.send(await build(context, errors));
    const alone = new Map<Check, TargetResponse>();
    for (const check of checks) {
      const response = await send([check]);
      if (!isSuccess(response)) alone.set(check, response);
    }
    const before: [Check, Check][] = [];
    for (const [one, other] of pairsOf([...alone.keys()])) {
      const first = noticedFirst(await send([one, other, ...always]), alone, one, other);
      if (first !== undefined) before.push(first === one ? [one, other] : [other, one]);
    }
    return sortStably(checks, before);
  };
}

/** Each two errors that one request can have. */
function pairsOf(checks: readonly Check[]): [Check, Check][] {
  return checks.flatMap((one, index) =>
    checks
      .slice(index + 1)
      .filter((other) => !excludeEachOther(one, other))
      .map((other): [Check, Check] => [one, other]),
  );
}

/** Which of two errors a response is about; `undefined` if that cannot be told. */
function noticedFirst(
  both: TargetResponse,
  alone: ReadonlyMap<Check, TargetResponse>,
  one: Check,
  other: Check,
): Check | undefined {
  const [isOne, isOther] = [one, other].map((check) => {
    const response = alone.get(check);
    return response !== undefined && refuseAlike(both, response);
  });
  if (isOne === isOther) return undefined;
  return isOne ? one : other;
}

/** The checks in their order, except where one must stand before another. */
function sortStably(
  checks: readonly Check[],
  before: readonly (readonly [Check, Check])[],
): readonly Check[] {
  const left = [...checks];
  const sorted: Check[] = [];
  while (left.length > 0) {
    const isFree = (check: Check): boolean =>
      !before.some(([first, second]) => second === check && left.includes(first));
    const next = left.find(isFree) ?? left[0];
    if (next === undefined) break;
    left.splice(left.indexOf(next), 1);
    sorted.push(next);
  }
  return sorted;
}

function credentialWith(errors: readonly Check[]): Pick<Call, 'credential'> {
  if (errors.includes('wrong-key')) return { credential: 'wrong' };
  return errors.includes('no-key') ? { credential: 'none' } : {};
}

function bodyWith(errors: readonly Check[], right: unknown, wrong: unknown): unknown {
  if (errors.includes('body')) return '{"name":';
  return errors.includes('fields') ? wrong : right;
}

const withKey: WithErrors = async (_, errors) => ({
  ...post('/stream', bodyWith(errors, plainInput, {})),
  ...credentialWith(errors),
});

/** The probes of the order in which each operation notices errors. */
export const orderProbes: ProbesFor<OrderBehaviours> = {
  'order.createStream': orderOf('order.createStream', withKey),
  'order.setRecord': orderOf('order.setRecord', async (context, errors) => ({
    ...patch(recordPath(await idWith(context, errors)), bodyWith(errors, { record: false }, {})),
    ...credentialWith(errors),
  })),
  'order.updateStream': orderOf('order.updateStream', async (context, errors) => ({
    ...patch(
      streamPath(await idWith(context, errors)),
      bodyWith(errors, (await context.ask(acceptedUpdate)).body, { name: 42 }),
    ),
    ...credentialWith(errors),
  })),
  'order.unknown-route': orderOf(
    'order.unknown-route',
    async (_, errors) => ({
      ...post(errors.includes('route') ? unknownPath : '/stream', bodyWith(errors, plainInput, {})),
      ...credentialWith(errors),
    }),
    ['route'],
  ),
  async 'order.listSessionsOfStream'(context) {
    const list = async (id: string, query: string): Promise<TargetResponse> =>
      context.send(get(`${recordedSessionsPath(id)}${query}`));
    const id = textOf((await context.ask(anyStream))['id']);
    const impossible = await firstRefused((query) => list(id, query));
    const alone = new Map<Check, TargetResponse>([
      ['query', await list(id, impossible)],
      ['id', await list(unknownId, '')],
    ]);
    if ([...alone.values()].some(isSuccess)) {
      throw new Blocked(
        'two errors at once: an impossible query or an unknown id is no error here',
      );
    }
    const first = noticedFirst(await list(unknownId, impossible), alone, 'query', 'id');
    return first === 'id' ? ['id', 'query'] : ['query', 'id'];
  },
};

/** Of the queries that a service may refuse, the first that it does refuse, or else the last. */
async function firstRefused(list: (query: string) => Promise<TargetResponse>): Promise<string> {
  const impossible = '&limit=0';
  return isSuccess(await list(impossible)) ? `&${nobodysQuery}` : impossible;
}

async function idWith(context: ProbeContext, errors: readonly Check[]): Promise<string> {
  return errors.includes('id') ? unknownId : (await context.ask(changedStream)).id;
}
