import fc from 'fast-check';
import { longestSession } from '../../interface/schemas.ts';
import { stateChanges } from './fuzz.states.test-support.ts';
import { goodHeaders, type RequestPlan } from './fuzz.test-support.ts';
import { type OperationName, operationNames, operations, pathOf } from './routes.ts';

const label = fc.string({ unit: 'grapheme', maxLength: 20 });
const aboveZero = fc.oneof(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1 }));

const profile = fc.record(
  {
    name: label,
    bitrate: aboveZero,
    fps: aboveZero,
    width: aboveZero,
    height: aboveZero,
    fpsDen: aboveZero,
    quality: fc.nat(),
    gop: label,
    profile: fc.constantFrom('H264Baseline', 'H264High'),
    encoder: fc.constant('H.264'),
  },
  { requiredKeys: ['name', 'bitrate', 'fps', 'width', 'height'] },
);

const newStream = fc.record(
  {
    name: label,
    profiles: fc.uniqueArray(profile, { selector: (one) => one.name, maxLength: 4 }),
    record: fc.boolean(),
  },
  { requiredKeys: ['name'] },
);

const start = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(undefined, {}) },
  fc.record({ duration: fc.double({ min: 1e-9, max: longestSession, noNaN: true }) }),
);

const advance = fc.oneof(
  fc.constantFrom('0', '500ms', '3.2s', '10m', '12h', '366d'),
  fc.double({ min: 0, max: 1e9, noNaN: true }),
);

/** Faults that leave every answer what it should be. */
const fault = fc.record(
  {
    effect: fc.constantFrom('recording-failed', 'recording-waiting'),
    times: fc.integer({ min: 1, max: 3 }),
    probability: fc.double({ min: 0, max: 1, noNaN: true }),
  },
  { requiredKeys: ['effect'] },
);

const json = (values: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  values.map((value) => JSON.stringify(value) ?? '');

/** The body of each operation that has one. */
const bodies: Partial<Record<OperationName, fc.Arbitrary<RequestPlan['body']>>> = {
  createStream: json(newStream),
  setRecord: json(fc.record({ record: fc.boolean() })),
  updateStream: json(
    fc.record({ name: fc.string(), userTags: fc.jsonValue() }, { requiredKeys: [] }),
  ),
  startSession: json(start),
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

/** A request for an operation, with the right key and a body that fits. */
function planFor(operationName: OperationName): fc.Arbitrary<RequestPlan> {
  const operation = operations[operationName];
  const path = pathOf(operationName, '/api').replace(/\{\w+\}/, ids[operationName] ?? 'STREAM');
  return fc.record({
    method: fc.constant(operation.method),
    target: operation.query ? queries.map((query) => path + query) : fc.constant(path),
    pick: fc.nat(),
    headers: fc.constant(goodHeaders),
    body: bodies[operationName] ?? fc.constant(''),
  });
}

/** What must come more often, so that it succeeds often enough. */
const weights: Partial<Record<OperationName, number>> = { importState: 4, addFault: 3 };

/** Requests that mostly succeed, for every operation. */
export const wellFormedPlans: fc.Arbitrary<RequestPlan> = fc.oneof(
  ...operationNames.map((name) => ({
    weight: weights[name] ?? 1,
    arbitrary: planFor(name),
  })),
);
