import * as fc from 'fast-check';
import { ladders } from '../../../interface/limit-ladders.ts';
import { bodyTypes } from '../../../interface/silent-http.ts';
import { type OperationName, operations, type RequestMove } from './move.ts';

type Oddity = fc.WeightedArbitrary<Partial<RequestMove>>;

const malformed = fc.constantFrom('{', '{"name":', 'name=a', '{"name":"a"}}', "{'name':'a'}");
const notObjects = fc.constantFrom('[]', '"text"', 'null', '1', 'true', '[{}]');
const sizes = fc.oneof(
  fc.constantFrom<number[]>(...ladders.body),
  fc.integer({ min: 13 * 64, max: 20 * 64 }).map((step) => Math.floor(2 ** (step / 64))),
);
const types = fc.constantFrom<(string | null)[]>(
  ...Object.values(bodyTypes).map((type) => type ?? null),
  ...['application/json; charset=utf-8', 'multipart/form-data; boundary=a', 'nonsense'],
);

/** What a request with a body may have instead of the right one. */
const oddBody: fc.Arbitrary<Partial<RequestMove>> = fc.oneof(
  { weight: 5, arbitrary: malformed.map((text) => ({ text })) },
  { weight: 4, arbitrary: notObjects.map((text) => ({ text })) },
  { weight: 4, arbitrary: fc.constant({ text: '' }) },
  { weight: 7, arbitrary: types.map((type) => ({ type })) },
  { weight: 5, arbitrary: sizes.map((size) => ({ size })) },
);

const oddCredential = fc
  .constantFrom('none', 'none', 'wrong', 'wrong', 'lower-case', 'other-scheme', 'bare', 'empty')
  .map((credential): Partial<RequestMove> => ({ credential }) as Partial<RequestMove>);

const origin = fc.constant({ origin: 'of a page' });
const preflight = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT'),
  headers: fc.constantFrom('authorization', 'authorization,content-type', 'x-other'),
});

/** The methods that no operation has at the path of this one. */
function otherMethods(name: OperationName): fc.Arbitrary<Partial<RequestMove>> {
  const offered = Object.values(operations)
    .filter(({ path }) => path === operations[name].path)
    .map(({ method }) => method);
  const others = ['PUT', 'POST', 'PATCH', 'DELETE', 'GET'].filter((one) => !offered.includes(one));
  return fc.constantFrom(...others).map((method) => ({ method }));
}

/** What may be added to any request. */
const oddities: readonly Oddity[] = [
  { weight: 62, arbitrary: fc.constant({}) },
  { weight: 8, arbitrary: oddCredential },
  { weight: 5, arbitrary: origin },
  { weight: 3, arbitrary: fc.constant({ path: 'slash' }) },
  { weight: 3, arbitrary: fc.constant({ path: 'upper-case' }) },
  { weight: 3, arbitrary: fc.constant({ method: 'OPTIONS' }) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(preflight, origin)
      .map(([asked, from]) => ({ method: 'OPTIONS', preflight: asked, ...from })),
  },
];
const readingOddities: readonly Oddity[] = [
  { weight: 6, arbitrary: fc.constant({ method: 'HEAD' }) },
  { weight: 8, arbitrary: fc.constant({ cached: true }) },
];
const writingOddities: readonly Oddity[] = [
  { weight: 20, arbitrary: oddBody },
  {
    weight: 10,
    arbitrary: fc.tuple(oddCredential, oddBody).map(([key, body]) => ({ ...key, ...body })),
  },
];

const nearCredential = {
  weight: 6,
  arbitrary: fc
    .constantFrom('short', 'long', 'similar')
    .map((credential): Partial<RequestMove> => ({ credential }) as Partial<RequestMove>),
};
/** A client that replaces a whole stream. */
const replacement = {
  weight: 3,
  arbitrary: fc.boolean().map((record) => ({ method: 'PUT', body: { name: 'replaced', record } })),
};
/** What may be added to requests of one operation only. */
const odditiesOf: Readonly<Partial<Record<OperationName, readonly Oddity[]>>> = {
  unknownRoute: writingOddities,
  setRecord: [nearCredential],
  listSessionsOfStream: [nearCredential],
  updateStream: [replacement],
};
const odditiesByMethod: Readonly<Record<string, readonly Oddity[]>> = {
  GET: readingOddities,
  POST: writingOddities,
  PATCH: writingOddities,
};

/** What may be added to a request of an operation: nothing at most times. */
export function oddOf(operation: OperationName): fc.Arbitrary<Partial<RequestMove>> {
  return fc.oneof(
    ...oddities,
    { weight: 3, arbitrary: otherMethods(operation) },
    ...(odditiesByMethod[operations[operation].method] ?? []),
    ...(odditiesOf[operation] ?? []),
  );
}
