import fc from 'fast-check';
import type { Operation } from '../../interface/operations.ts';
import { lastMoment, longestSession } from '../../interface/schemas.ts';
import type { Snapshot } from '../service/snapshot.ts';
import type { World } from '../service/world-handle.ts';
import { stateText } from './request.test-support.ts';
import { type OperationName, operationNames, operations, pathOf } from './routes.ts';

type Header = readonly [name: string, value: string];

/** A request that may be malformed in any way that a `Request` can be. */
export interface RequestPlan {
  readonly method: string;
  /** Path and query, in which STREAM, SESSION and PLAYBACK stand for ids that the world has then. */
  readonly target: string;
  /** Which of those ids. */
  readonly pick: number;
  readonly headers: readonly Header[];
  readonly body: string | Uint8Array<ArrayBuffer> | StateChange;
}

/** The key of most requests. */
export const fuzzKey = 'test-fuzz';

/** The request of a plan, in a world as it is now. */
export function toRequest(
  { method, target, pick, headers, body }: RequestPlan,
  world: World,
): Request {
  const state = world.exportState();
  const bytes = typeof body === 'object' && 'place' in body ? changeState(state, body) : body;
  const one = (ids: string[]) => ids[pick % Math.max(1, ids.length)] ?? 'none';
  const filled = target
    .replaceAll('STREAM', () => one(state.streams.map(({ id }) => id)))
    .replaceAll('SESSION', () => one(state.sessions.map(({ id }) => id)))
    .replaceAll('PLAYBACK', () => one(state.streams.map(({ playbackId }) => playbackId)));
  return new Request(`http://livestream.test${filled}`, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(!/^(get|head)$/i.test(method) && bytes.length > 0 && { body: bytes }),
  });
}

// Requests that mostly succeed, for every operation and media route.

const label = fc.string({ unit: 'grapheme', maxLength: 20 });
const aboveZero = fc.oneof(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1 }));

const profile = fc.record({
  name: label,
  bitrate: aboveZero,
  fps: aboveZero,
  width: aboveZero,
  height: aboveZero,
});

const newStream = fc.record(
  {
    name: label,
    profiles: fc.uniqueArray(profile, { selector: (one) => one.name, maxLength: 4 }),
    record: fc.boolean(),
  },
  { requiredKeys: ['name'] },
);

const duration = fc.double({ min: 1e-9, max: longestSession, noNaN: true });
const advance = fc.constantFrom('0', '500ms', '3.2s', '12h', '366d', 0.5, 1e9);
/** Faults that leave every answer what it should be. */
const fault = fc.record({ effect: fc.constantFrom('recording-failed', 'recording-waiting') });

/** Another value at one place of an exported state; `undefined` for none. */
interface StateChange {
  readonly place: number;
  readonly value: unknown;
}

/** Changes of which some leave a state that is good. */
const stateChanges: fc.Arbitrary<StateChange> = fc.record({
  place: fc.nat(),
  value: fc.oneof(
    fc.constantFrom<unknown>(undefined, null, true, '', 'x', '__proto__', [], {}, [{}], -1, 0, 0.5),
    fc.constantFrom(1e-9, lastMoment, lastMoment + 1, 2 ** 53, 1e308, longestSession + 1),
    fc.integer({ min: Date.UTC(2025, 11, 1), max: Date.UTC(2026, 1, 1) }),
  ),
});

/** Every place in some JSON. */
function placesIn(holder: object): (readonly [holder: object, key: string])[] {
  return Object.entries(holder).flatMap(([key, value]) => {
    const below = typeof value === 'object' && value !== null ? placesIn(value) : [];
    return [[holder, key] as const, ...below];
  });
}

/** A state with the change, as its lines. */
function changeState(state: Snapshot, { place, value }: StateChange): string {
  const changed = structuredClone(state);
  const places = placesIn(changed);
  const [holder, key] = places[place % places.length] as readonly [object, string];
  Reflect.set(holder, key, value);
  try {
    return stateText(changed);
  } catch {
    // What is not a list has no lines.
    return JSON.stringify(changed);
  }
}

const json = (values: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  values.map((value) => JSON.stringify(value) ?? '');

/** The body of each operation that has one. */
const bodies: Partial<Record<OperationName, fc.Arbitrary<RequestPlan['body']>>> = {
  createStream: json(newStream),
  setRecord: json(fc.record({ record: fc.boolean() })),
  updateStream: json(
    fc.record({ name: fc.string(), userTags: fc.jsonValue() }, { requiredKeys: [] }),
  ),
  startSession: json(fc.oneof(fc.constant({}), fc.record({ duration }))),
  setClock: json(fc.oneof(fc.record({ advance }), fc.record({ speed: fc.constantFrom(0, 1, 60) }))),
  importState: stateChanges,
  addFault: json(fault),
};

const queries = fc
  .subarray(['limit=1', 'limit=1000', 'record=1', 'record=0', 'parentId=STREAM'])
  .map((parts) => `?${parts.join('&')}`);

/** What stands in the path, where it is not the id of a stream. */
const ids: Partial<Record<OperationName, string>> = {
  retrievePlayback: 'PLAYBACK',
  retrieveSession: 'SESSION',
  removeFault: '1',
  saveSnapshot: 'kept',
  restoreSnapshot: 'kept',
  deleteSnapshot: 'kept',
};

/** What lets a request with a body pass. */
const goodHeaders: readonly [Header, Header] = [
  ['authorization', `Bearer ${fuzzKey}`],
  ['content-type', 'application/json'],
];

/** What must come more often, so that it succeeds often enough. */
const weights: Partial<Record<OperationName, number>> = {
  importState: 4,
  addFault: 3,
  stopSession: 3,
  saveSnapshot: 2,
  restoreSnapshot: 2,
};

const operationPlans = operationNames.map((name) => {
  const operation: Operation = operations[name];
  const path = pathOf(name, '/api').replace(/\{\w+\}/, ids[name] ?? 'STREAM');
  const arbitrary: fc.Arbitrary<RequestPlan> = fc.record({
    method: fc.constant(operation.method),
    target: operation.query ? queries.map((query) => path + query) : fc.constant(path),
    pick: fc.nat(),
    headers: fc.constant(goodHeaders),
    body: bodies[name] ?? fc.constant(''),
  });
  return { weight: weights[name] ?? 1, arbitrary };
});

/** Requests that mostly succeed, for every operation. */
export const wellFormedPlans: fc.Arbitrary<RequestPlan> = fc.oneof(...operationPlans);

// Requests that are mostly refused: others, of which some parts are changed.

const words = (text: string): string[] => text.trim().split(/\s+/);

const junk = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(' ', ...words('% %ff %2F %00 %u0041 .. %2e%2e . // \\ # ?')),
  fc.constantFrom('\ud800', ...words('__proto__ constructor %C3%28 %ED%A0%80 😀 ;a=b {id}')),
  fc.integer({ min: 500, max: 9_000 }).map((length) => 'x'.repeat(length)),
);

/** What a header may hold: Latin-1 without line breaks and NUL. */
const headerValue = fc
  .string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)) })
  .map((text) => text.replace(/[\r\n]/g, ' '));

const headers = fc
  .constantFrom(
    `authorization:  | test-fuzz | Bearer ${fuzzKey}, Bearer ${fuzzKey} | Bearer x | Basic a`,
    'content-type: text/plain | application/json; charset=utf-16 | ;',
    'range: bytes=0-1 | bytes=-5 | bytes=9-1 | bytes=0-0,2-3 | bytes=99999999999-',
    'content-length: 0 | -1 | 999999 | 1e3',
    'content-encoding: gzip | identity',
    'if-none-match: * | W/"x" | ,,',
    'if-range: "x"',
    'access-control-request-headers: x-a',
    'origin: null | http://a.test',
  )
  .chain((line) => {
    const [name = '', values = ''] = line.split(': ');
    const usual = fc.constantFrom(...values.split(' | '));
    const text = fc.oneof({ weight: 4, arbitrary: usual }, headerValue);
    return fc.tuple(fc.constant(name), text);
  });

const methods = words(
  "GET POST PATCH DELETE PUT HEAD OPTIONS PURGE get constructor __proto__ toString !#$%&'*",
);

const parameter = fc.oneof(fc.constantFrom(...words('limit cursor record parentId')), junk);
const value = fc.oneof(fc.constantFrom(...words('1 0 true 1000 1001 -1 zz STREAM')), junk);

/** Bodies of which some are an object with the keys that operations read, each of any value. */
const anything = fc.jsonValue({ maxDepth: 4 });
const oddBodies: fc.Arbitrary<RequestPlan['body']> = fc.oneof(
  json(anything),
  json(fc.dictionary(fc.constantFrom(...words('name profiles record duration advance')), anything)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
  fc.constantFrom('['.repeat(3_000), '{"__proto__":{}}', '"\\ud800"', '\ufeff{"name":""}', '1e999'),
);

/** Parts that replace those of a plan. */
const changes: fc.Arbitrary<(plan: RequestPlan) => RequestPlan> = fc.oneof(
  fc.constantFrom(...methods).map((method) => (plan: RequestPlan) => ({ ...plan, method })),
  fc.tuple(fc.nat(5), fc.nat(1), junk).map(([at, replaced, part]) => (plan: RequestPlan) => {
    const target = plan.target
      .split('/')
      .toSpliced(at + 1, replaced, part)
      .join('/');
    return { ...plan, target };
  }),
  fc.tuple(parameter, value).map((pair) => (plan: RequestPlan) => ({
    ...plan,
    target: `${plan.target}?${pair.join('=')}`,
  })),
  headers.map((header) => (plan: RequestPlan) => ({
    ...plan,
    headers: [...plan.headers.filter(([name]) => name !== header[0]), header],
  })),
  oddBodies.map((body) => (plan: RequestPlan) => ({ ...plan, body })),
  fc.tuple(fc.nat(60), junk).map(([at, text]) => (plan: RequestPlan) => {
    const { body } = plan;
    return typeof body === 'string'
      ? { ...plan, body: body.slice(0, at) + text + body.slice(at + 1) }
      : plan;
  }),
);

/** Requests that are mostly refused. */
export const malformedPlans: fc.Arbitrary<RequestPlan> = fc
  .tuple(wellFormedPlans, fc.array(changes, { minLength: 1, maxLength: 3 }))
  .map(([plan, made]) => made.reduce((changed, change) => change(changed), plan));
