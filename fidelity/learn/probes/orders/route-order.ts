import type { TargetResponse } from '../../../../conformance/target/exchange.ts';
import { isSuccess } from '../../../../conformance/target/expectations.ts';
import { Blocked } from '../../../../conformance/target/failure.ts';
import { get, patch, post, streamPath } from '../../../../conformance/target/operations.ts';
import type { Call } from '../../../../conformance/target/target.ts';
import { usualBehaviours } from '../../../../interface/silent.ts';
import type { Check } from '../../../../interface/silent-orders.ts';
import { unknownPath } from '../../questions/inputs.ts';
import { type ProbeContext, type Question, refuseAlike } from '../../questions/probe.ts';
import { anyStream, plainInput } from '../../questions/streams.ts';
import { acceptedUpdate } from '../updates.ts';
import { routeExamples } from './examples.ts';
import { createSender, noticedFirst, type Sender } from './order-of.ts';
import { type Pair, pairsOf, sortStably } from './sort.ts';

/** Requests that a service may refuse as it has nothing there, the plainest first. */
const lostCalls: readonly Question<Call>[] = [
  async () => post(unknownPath, plainInput),
  async () => ({ ...post('/stream', plainInput), method: 'PUT' }),
  async ({ ask }) => {
    const { id } = await ask(anyStream);
    await ask(expectNoUpdate);
    return patch(streamPath(id), plainInput);
  },
  async ({ ask }) => get(streamPath((await ask(anyStream))['id'])),
  async () => get('/stream'),
  async () => get('/session'),
];

/** @throws Blocked if streams can be updated */
const expectNoUpdate: Question<void> = async ({ ask }) => {
  const isOffered = await ask(acceptedUpdate).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof Blocked)) throw error;
      return false;
    },
  );
  if (isOffered) throw new Blocked('an operation that is not offered: streams can be updated');
};

/** A refused request without any other error than that nothing is there. */
interface Lost {
  readonly refusal: TargetResponse;
  readonly sender: Sender;
  readonly hasBody: boolean;
}

async function findLost(context: ProbeContext): Promise<Lost[]> {
  const found: Lost[] = [];
  for (const build of lostCalls) {
    const call = await build(context).catch((error: unknown) => {
      if (!(error instanceof Blocked)) throw error;
    });
    if (call === undefined) continue;
    const refusal = await context.send(call);
    if (isSuccess(refusal)) continue;
    const sender = createSender(context, async () => call);
    found.push({ refusal, sender, hasBody: call.method !== 'GET' });
  }
  return found;
}

const usual = usualBehaviours['order.unknown-route'];
const others = usual.filter((check) => check !== 'route');

/** The order in which errors are noticed in a request for something that is not there. */
export const routeOrder: Question<readonly Check[]> = async (context) => {
  const all = await findLost(context);
  const elsewhere = createSender(context, async () => post('/stream', plainInput));
  /** The first answer of a request that can have the errors. */
  const askAll = async (
    checks: readonly Check[],
    ask: (lost: Lost) => Promise<Pair | undefined>,
  ): Promise<Pair[]> => {
    for (const lost of all.filter(({ hasBody }) => hasBody || !checks.includes('body'))) {
      const pair = await ask(lost);
      if (pair !== undefined) return [pair];
    }
    return [];
  };
  const found: Pair[] = [];
  for (const check of others) {
    found.push(...(await askAll([check], (lost) => besideRoute(lost, elsewhere, check))));
  }
  // Nothing is noticed after the route.
  const isNoticed = (check: Check): boolean =>
    !found.some(([first, second]) => first === 'route' && second === check);
  for (const pair of pairsOf(others).filter((both) => both.some(isNoticed))) {
    found.push(...(await askAll(pair, ({ sender }) => noticedFirst(sender, pair, routeExamples))));
  }
  return sortStably(usual, found);
};

/**
 * Whether an error is noticed before or after that nothing is there: before, if it changes the
 * response; after, if it does not, and is refused otherwise elsewhere.
 */
async function besideRoute(
  { refusal, sender }: Lost,
  elsewhere: Sender,
  check: Check,
): Promise<Pair | undefined> {
  for (const example of routeExamples[check] ?? []) {
    const alone = await elsewhere.alone(example);
    if (alone === undefined) continue;
    const both = await sender.alone(example);
    if (both === undefined) continue;
    if (!refuseAlike(both, refusal)) return [check, 'route'];
    if (!refuseAlike(alone, refusal)) return ['route', check];
  }
  return undefined;
}
