import { describe, expect, test } from 'vitest';
import { type Alteration, against, answering, showingInNew } from './against.test-support.ts';
import { compare } from './compare.ts';
import { comparisonStatus, neverAnswered, renderComparison } from './comparison-report.ts';

/** A service that closes the connection instead of answering some requests. */
function closing(isClosed: (request: Request) => boolean): Alteration {
  return (send) => (request) =>
    isClosed(request) ? Promise.reject(new TypeError('closed')) : send(request);
}

describe('no difference is reported for', () => {
  test('a service that does not agree with itself', async () => {
    let requests = 0;
    const alternate = answering(({ method }) =>
      method === 'DELETE' && Math.sin((requests++) ** 2) > 0.6
        ? new Response(null, { status: 202 })
        : undefined,
    );
    const comparison = await compare({ ...against(alternate), operations: 200 });
    expect(comparison.unsteady).toBeGreaterThan(0);
    expect(comparisonStatus(comparison)).toBe(2);
  });

  test('requests without a response', async () => {
    let requests = 0;
    let creations = 0;
    const breakOff = closing(({ method, url }) => {
      const isCreation = method === 'POST' && url.endsWith('/stream');
      if (isCreation) creations += 1;
      requests += 1;
      return requests % 40 === 0 || (isCreation && creations === 9);
    });
    const comparison = await compare({ ...against(breakOff), operations: 200 });
    expect(comparison.differences).toEqual([]);
    expect(comparison.unanswered).toBeGreaterThan(0);
    const left =
      /^possibly a stream named "[^"]+": the response to its creation could not be read$/;
    expect(comparison.leftBehind.length).toBeGreaterThan(0);
    for (const line of comparison.leftBehind) expect(line).toMatch(left);
  });
});

test('a known difference that appears is not unsteady if other requests have no response', async () => {
  const silent = closing(({ method, url }) => method === 'GET' && url.includes('/stream/'));
  const options = against((send) => silent(showingInNew({ more: 1 })(send)));
  const name = 'more | number ≠ absent';
  const known = [{ difference: name, reason: 'It is accepted.', sequence: 5 }];
  const comparison = await compare({ ...options, operations: 1, known });
  expect(comparison.unanswered).toBeGreaterThan(0);
  expect(comparison).toMatchObject({ unsteady: 0, differences: [{ name }] });
});

test('many requests without a response leave the verdict open', async () => {
  let requests = 0;
  const breakOff = closing(() => ++requests % 5 === 0);
  const comparison = await compare({ ...against(breakOff), operations: 500 });
  expect(comparison.differences).toEqual([]);
  expect(comparisonStatus(comparison)).toBe(2);
  expect(renderComparison(comparison, { colours: false, width: 500 })).toMatch(
    /Too little is known: \d+ requests got no response\.\n$/,
  );
});

test('an operation without any response leaves the verdict open', async () => {
  const silent = closing(({ method }) => method === 'PATCH');
  const comparison = await compare({ ...against(silent), operations: 300 });
  expect(comparison.differences).toEqual([]);
  expect(neverAnswered(comparison).toSorted()).toEqual(['setRecord', 'updateStream']);
  expect(comparisonStatus(comparison)).toBe(2);
  expect(renderComparison(comparison, { colours: false, width: 500 })).toMatch(
    /These operations never got a usable response: (setRecord, updateStream|updateStream, setRecord)\.\n$/,
  );
});

test('a search without time for a single sequence asks for more time', async () => {
  const comparison = await compare({ ...against(), time: 0 });
  expect(comparisonStatus(comparison)).toBe(2);
  expect(renderComparison(comparison, { colours: false, width: 500 })).toContain(
    'Nothing could be compared: time ran out before the first sequence; give more with --time.',
  );
});

test('a search that did not come to every operation in its time asks for more time', async () => {
  const options = against();
  let sequences = 0;
  const onProgress = (): void => {
    sequences += 1;
  };
  const pastTheEnd = 120_000_001;
  const now = (): number => (options.now?.() ?? 0) + (sequences > 1 ? pastTheEnd : 0);
  // The first sequence of this seed only creates and lists streams.
  const comparison = await compare({ ...options, now, onProgress, seed: 2 });
  expect(comparison.sequences).toBe(1);
  expect(comparisonStatus(comparison)).toBe(2);
  expect(renderComparison(comparison, { colours: false, width: 500 })).toMatch(
    /These operations never got a usable response: .*\. Time ran out; give more with --time\.\n$/,
  );
});

test('streams that remain after DELETE and GET got 404 are named', async () => {
  const keep = answering(({ method, url }) => {
    const isHidden = /DELETE|GET/.test(method) && /stream\/[\w-]+$/.test(url);
    return isHidden ? new Response(null, { status: 404 }) : undefined;
  });
  const { leftBehind } = await compare({ ...against(keep), operations: 20 });
  expect(leftBehind).toContainEqual(expect.stringMatching(/^stream [\w-]+$/));
});

test('the search ends before a service whose creations show no usable id is full of streams', async () => {
  const { provider: _, ...options } = against(showingInNew({ id: null }));
  const comparison = await compare(options);
  expect(comparison.end).toBe('new streams have no usable id, so they cannot be deleted');
  expect(comparison.leftBehind.join()).toMatch(
    /^possibly a stream named "livestream-mock [^"]+": .* had no usable id/,
  );
  expect(comparisonStatus(comparison)).toBe(1);
});

test('the search ends if a service no longer responds, and too little is known', async () => {
  let requests = 0;
  const die = closing(() => ++requests > 500);
  const comparison = await compare(against(die));
  expect(comparison).toMatchObject({ differences: [], end: 'a side no longer responded' });
  expect(comparisonStatus(comparison)).toBe(2);
});

test('a search that ends because the services are unsteady says so, and too little is known', async () => {
  let refusals = 0;
  const vary = answering((_, { status }) => {
    if (status !== 404) return undefined;
    const name = (refusals++).toString(36).replace(/\d/g, (digit) => 'ABCDEFGHIJ'[+digit] ?? '');
    return Response.json({ [name]: 1 }, { status });
  });
  const comparison = await compare({ ...against(vary), operations: 3_000 });
  expect(comparison.unsteady).toBeGreaterThanOrEqual(30);
  expect(comparisonStatus(comparison)).toBe(2);
  const text = renderComparison(comparison, { colours: false, width: 500 });
  expect(text).toContain('The search ended: too many differences were unsteady');
  expect(text).toContain('Too little is known: most differences did not appear again.');
}, 60_000);
