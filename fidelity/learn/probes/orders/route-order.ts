import type { TargetResponse } from '../../../../conformance/target/exchange.ts';
import { isSuccess } from '../../../../conformance/target/expectations.ts';
import { Blocked, isOfTarget } from '../../../../conformance/target/failure.ts';
import { get, patch, post, streamPath } from '../../../../conformance/target/operations.ts';
import type { Call } from '../../../../conformance/target/target.ts';
import { usualBehaviours } from '../../../../interface/silent.ts';
import type { Check } from '../../../../interface/silent-orders.ts';
import { textOf } from '../../../json.ts';
import { unknownPath } from '../../questions/inputs.ts';
import { sessionPath } from '../../questions/list-sessions.ts';
import { Inexpressible, type Question, refuseAlike } from '../../questions/probe.ts';
import { anyStream, deletionOf, plainInput } from '../../questions/streams.ts';
import { playbackPath, terminationOf } from '../playback.ts';
import { changeProbes } from '../updates.ts';
import { routeExamples } from './examples.ts';
import { createSender, noticedFirst, type Sender } from './order-of.ts';
import { type Pair, pairsOf, sortStably } from './sort.ts';

/** A request to an operation that is not offered. @throws Blocked if it is */
const absent =
  (row: keyof typeof changeProbes & `operation.${string}`, call: (id: string) => Call): Build =>
  async ({ ask }) => {
    if ((await ask(changeProbes[row])) !== 'offered') {
      return call(textOf((await ask(anyStream))['id']));
    }
    throw new Blocked('an operation that is not offered');
  };

type Build = Question<Call>;

/** Requests that are refused as nothing is there, the plainest first. */
const lostCalls: readonly Build[] = [
  async () => post(unknownPath, plainInput),
  async () => ({ ...post('/stream', plainInput), method: 'PUT' }),
  absent('operation.updateStream', (id) => patch(streamPath(id), plainInput)),
  absent('operation.retrieveStream', (id) => get(streamPath(id))),
  absent('operation.listStreams', () => get('/stream')),
  absent('operation.listSessions', () => get('/session')),
  absent('operation.retrieveSession', (id) => get(sessionPath(id))),
  absent('operation.retrievePlayback', (id) => get(playbackPath(id))),
  absent('operation.terminateStream', terminationOf),
  absent('operation.deleteStream', deletionOf),
];

/** A refused request without any other error than that nothing is there. */
interface Lost {
  readonly refusal: TargetResponse;
  readonly sender: Sender;
  readonly hasBody: boolean;
}

/** A request of that kind; `undefined` if it is not refused, or cannot be made. */
function findLost(build: Build): Question<Lost | undefined> {
  return async (context) => {
    const call = await build(context).catch((error: unknown) => {
      if (!isOfTarget(error) && !(error instanceof Inexpressible)) throw error;
    });
    if (call === undefined) return undefined;
    const refusal = await context.send(call);
    if (isSuccess(refusal)) return undefined;
    const sender = createSender(context, async () => call);
    return { refusal, sender, hasBody: bodyMethods.has(call.method) };
  };
}

const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** Each is made once, and only where those before it do not tell. */
const allLost = lostCalls.map(findLost);

const usual = usualBehaviours['order.unknown-route'];
const others = usual.filter((check) => check !== 'route');

/** The order in which errors are noticed in a request for something that is not there. */
export const routeOrder: Question<readonly Check[]> = async (context) => {
  const elsewhere = createSender(context, async () => post('/stream', plainInput));
  /** The first answer of a request that can have the errors. */
  const askAll = async (
    checks: readonly Check[],
    ask: (lost: Lost) => Promise<Pair | undefined>,
  ): Promise<Pair[]> => {
    for (const find of allLost) {
      const lost = await context.ask(find);
      if (lost === undefined || (checks.includes('body') && !lost.hasBody)) continue;
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
