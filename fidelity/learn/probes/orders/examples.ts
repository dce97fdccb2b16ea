import type { Call } from '../../../../conformance/target/target.ts';
import type { Check } from '../../../../interface/silent-orders.ts';
import { nobodysField, nobodysQuery, otherScheme } from '../../questions/inputs.ts';
import type { ProbeContext, Question } from '../../questions/probe.ts';
import { deletedStream, neverGiven, otherStream, plainInput } from '../../questions/streams.ts';
import { malformedId, spareId } from '../id-refusals.ts';

/** A way to put one error into a request that has none of its kind. @throws Blocked without what it needs */
export type Example = (call: Call, context: ProbeContext) => Call | Promise<Call>;

/** Examples of each kind of error that a request may have, the plainest first. */
export type Examples = Readonly<Partial<Record<Check, readonly Example[]>>>;

const withBody =
  (body: unknown): Example =>
  (call) => ({ ...call, body });

const withHeaders =
  (headers: Readonly<Record<string, string>>): Example =>
  (call) => ({ ...call, headers: { ...call.headers, ...headers } });

const keys: Examples = {
  'wrong-key': [(call) => ({ ...call, credential: 'wrong' }), withHeaders(otherScheme)],
  'no-key': [(call) => ({ ...call, credential: 'none' })],
};

/** Errors of the key, and of a body that cannot be read. */
const keysAndBody: Examples = {
  ...keys,
  body: [
    withBody('{"name":'),
    withHeaders({ 'content-type': 'text/plain' }),
    withHeaders({ 'content-type': 'application/x-www-form-urlencoded' }),
    (call) => ({ ...call, untyped: true }),
  ],
};

/** Puts another id where a path has that of a stream. */
const withId =
  (ofId: Question<string>): Example =>
  async (call, { ask }) => {
    const id = encodeURIComponent(await ask(ofId));
    return { ...call, path: call.path.replace(/^\/stream\/[^/?]+/, `/stream/${id}`) };
  };

const ids = [neverGiven, malformedId, deletedStream, spareId, otherStream].map(withId);

export const createExamples: Examples = {
  ...keysAndBody,
  fields: [
    {},
    { name: 42 },
    [],
    undefined,
    { name: null },
    { ...plainInput, profiles: 'text' },
    { ...plainInput, ...nobodysField },
  ].map(withBody),
};

export const switchExamples: Examples = {
  ...keysAndBody,
  fields: [{}, { record: 'yes' }, [], undefined, { record: null }].map(withBody),
  id: ids,
};

export const updateExamples: Examples = {
  ...keysAndBody,
  fields: [{ name: 42 }, [], undefined, nobodysField, { profiles: 'text' }].map(withBody),
  id: ids,
};

/** Errors of a request to an unknown path. Its fields mean nothing. */
export const routeExamples: Examples = keysAndBody;

const impossibleQueries = [
  'limit=0',
  nobodysQuery,
  'limit=1000000',
  'active=maybe',
  'order=maybe',
  'filters=maybe',
];

export const listExamples: Examples = {
  ...keys,
  query: impossibleQueries.map(
    (query): Example =>
      (call) => ({ ...call, path: `${call.path}${call.path.includes('?') ? '&' : '?'}${query}` }),
  ),
  id: ids,
};
