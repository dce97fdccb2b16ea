import fc from 'fast-check';
import type { Operation } from '../../interface/operations.ts';
import { lastMoment } from '../../interface/schemas.ts';
import type { World } from '../service/testers/world-handle.ts';
import { longestSession } from '../state/limits.ts';
import { stateText } from './request.test-support.ts';
import { type OperationName, operationNames, operations, pathOf } from './routes.ts';

/** A request that may be malformed in any way that `Request` allows. */
export interface RequestPlan {
  readonly method: string;
  /** Path and query. STREAM, SESSION and PLAYBACK stand for ids that the world has at that moment. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body. STATE stands for the state of the world at that moment. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** JSON that replaces one value in the body. */
  readonly value?: string;
  /** Chooses among the ids, and among the values of the body. */
  readonly pick: number;
}

/** The key of most requests. */
export const fuzzKey = 'test-fuzz';

/** Makes the request of a plan, for the current state of a world. */
export function toRequest(plan: RequestPlan, world: World): Request {
  const { method, target, headers, value, pick } = plan;
  const state = world.exportState();
  const one = (ids: string[]) => ids[pick % Math.max(1, ids.length)] ?? 'none';
  const filled = target
    .replaceAll('STREAM', () => one(state.streams.map(({ id }) => id)))
    .replaceAll('SESSION', () => one(state.sessions.map(({ id }) => id)))
    .replaceAll('PLAYBACK', () => one(state.streams.map(({ playbackId }) => playbackId)));
  let body = plan.body === 'STATE' ? stateText(state) : plan.body;
  if (value !== undefined && typeof body === 'string') body = replaceValue(body, pick, value);
  return new Request(`http://livestream.test${filled}`, {
    method,
    headers,
    ...(!/^(get|head)$/i.test(method) && body.length > 0 && { body }),
  });
}

/** Replaces the value at one key of some JSON. */
function replaceValue(json: string, pick: number, value: string): string {
  const values = [...json.matchAll(/(?<=":)(?:"[^"]*"|[\d.e]+|\w+)/g)];
  const found = values[pick % values.length];
  if (found === undefined) return value;
  return json.slice(0, found.index) + value + json.slice(found.index + found[0].length);
}

const largest = Number.MAX_SAFE_INTEGER;

/** Bodies that operations accept. */
const bodies: Partial<Record<OperationName, readonly string[]>> = {
  createStream: [
    '{"name":""}',
    '{"name":"\\u0000😀","record":true}',
    '{"name":"a","record":true,"profiles":[{"name":"b","bitrate":1,"fps":1,"width":1,"height":1}]}',
    `{"name":"a","profiles":[{"name":"","bitrate":${largest},"fps":${largest},"width":${largest},"height":1}]}`,
  ],
  setRecord: ['{"record":true}', '{"record":false}'],
  updateStream: ['{}', '{"name":"b","userTags":{"a":[null,{"b":1.5}]}}'],
  startSession: ['{}', '{"duration":1e-9}', '{"duration":4.2}', `{"duration":${longestSession}}`],
  setClock: ['{"advance":"3.2s"}', '{"advance":"366d"}', '{"advance":0.5}', '{"speed":60}'],
  importState: ['STATE'],
  // Faults that change no response.
  addFault: ['{"effect":"recording-failed"}', '{"effect":"recording-waiting"}'],
};

/** What is in the path, if it is not the id of a stream. */
const ids: Partial<Record<OperationName, string>> = {
  retrievePlayback: 'PLAYBACK',
  retrieveSession: 'SESSION',
  removeFault: '1',
  saveSnapshot: 'kept',
  restoreSnapshot: 'kept',
  deleteSnapshot: 'kept',
};

/** Operations that succeed only after others. They come more often. */
const weights: Partial<Record<OperationName, number>> = {
  addFault: 3,
  stopSession: 3,
  saveSnapshot: 2,
  restoreSnapshot: 2,
};

const queries = fc
  .subarray(['limit=1', 'limit=1000', 'record=1', 'record=0', 'parentId=STREAM'])
  .map((parts) => `?${parts.join('&')}`);

const operationPlans = operationNames.map((name) => {
  const operation: Operation = operations[name];
  const path = pathOf(name, '/api').replace(/\{\w+\}/, ids[name] ?? 'STREAM');
  const arbitrary: fc.Arbitrary<RequestPlan> = fc.record({
    method: fc.constant(operation.method),
    target: operation.query ? queries.map((query) => path + query) : fc.constant(path),
    headers: fc.constant({
      authorization: `Bearer ${fuzzKey}`,
      'content-type': 'application/json',
    }),
    body: fc.constantFrom(...(bodies[name] ?? [''])),
    pick: fc.nat(),
  });
  return { weight: weights[name] ?? 1, arbitrary };
});

/** Requests for every operation, of which most succeed. */
export const wellFormedPlans: fc.Arbitrary<RequestPlan> = fc.oneof(...operationPlans);

const words = (text: string): string[] => text.trim().split(/\s+/);

const junk = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(' ', ...words('% %ff %2F %00 %u0041 .. %2e%2e . // \\ # ?')),
  fc.constantFrom('\ud800', ...words('__proto__ constructor %C3%28 %ED%A0%80 😀 ;a=b {id}')),
  fc.constant('x'.repeat(9_000)),
);

const methods = words(
  "GET POST PATCH DELETE PUT HEAD OPTIONS PURGE get constructor __proto__ toString !#$%&'*",
);

const headers = fc
  .constantFrom(
    `authorization:  | test-fuzz | Bearer ${fuzzKey}, Bearer ${fuzzKey} | Bearer x | Basic a | \xff`,
    'content-type: text/plain | application/json; charset=utf-16 | ; | \xff',
    'range: bytes=0-1 | bytes=-5 | bytes=9-1 | bytes=0-0,2-3 | bytes=99999999999-',
    'content-length: 0 | -1 | 999999 | 1e3',
    'content-encoding: gzip | identity',
    'if-none-match: * | W/"x" | ,,',
    'if-range: "x"',
    'access-control-request-headers: x-a | \x01',
    'origin: null | http://a.test',
  )
  .chain((line) => {
    const [name = '', values = ''] = line.split(': ');
    return fc.constantFrom(...values.split(' | ')).map((text) => ({ [name]: text }));
  });

const parameter = fc.oneof(fc.constantFrom(...words('limit cursor record parentId')), junk);
const argument = fc.oneof(fc.constantFrom(...words('1 0 true 1000 1001 -1 zz STREAM')), junk);

const oddBodies = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Uint8Array.from(bytes)),
  fc.constantFrom('['.repeat(3_000), '{"__proto__":{}}', '"\\ud800"', '\ufeff{"name":""}', '1e999'),
);

const oddValues = fc.constantFrom(
  ...words('null true "" "x" "__proto__" [] {} [{}] -1 0 0.5 1e-9 1e308'),
  ...[lastMoment, lastMoment + 1, 2 ** 53, longestSession + 1].map(String),
);

/** Parts that replace parts of a plan. */
const changes = fc.oneof(
  fc.constantFrom(...methods).map((method) => () => ({ method })),
  fc.tuple(fc.nat(5), fc.nat(1), junk).map(([at, replaced, part]) => ({ target }: RequestPlan) => ({
    target: target
      .split('/')
      .toSpliced(at + 1, replaced, part)
      .join('/'),
  })),
  fc.tuple(parameter, argument).map((pair) => ({ target }: RequestPlan) => ({
    target: `${target}?${pair.join('=')}`,
  })),
  headers.map((header) => (plan: RequestPlan) => ({ headers: { ...plan.headers, ...header } })),
  oddBodies.map((body) => () => ({ body })),
  oddValues.map((value) => () => ({ value })),
);

/** Requests of which most are refused: the requests above, with some parts replaced. */
export const malformedPlans: fc.Arbitrary<RequestPlan> = fc
  .tuple(wellFormedPlans, fc.array(changes, { minLength: 1, maxLength: 3 }))
  .map(([plan, made]) => made.reduce(changePlan, plan));

function changePlan(
  plan: RequestPlan,
  change: (plan: RequestPlan) => Partial<RequestPlan>,
): RequestPlan {
  return { ...plan, ...change(plan) };
}
