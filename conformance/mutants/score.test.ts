// Not in test:quick: the score runs the suite once for each mutant and variant.
import { beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../../mocks/mock.ts';
import type { Report } from '../model/report.ts';
import { run } from '../run.ts';
import type { Fetch } from './rewrite.ts';
import { findGaps, type Score, scoreSuite } from './score.ts';
import type { Variant } from './variant.ts';
import { makeVariant, variants } from './variants.ts';

function runAgainst(send: Fetch): Promise<Report> {
  return run({
    baseUrl: 'http://mock.test/api',
    apiKey: 'test-demo',
    provider: { controlUrl: 'http://mock.test/_mock' },
    patience: 1,
    send,
  });
}

describe('the score', () => {
  let score: Score;
  beforeAll(async () => {
    score = await scoreSuite();
  }, 600_000);

  test('is full: every mutant is killed by its own check, and every legal variant passes', () => {
    expect(findGaps(score)).toEqual([]);
  });

  test('counts a mutant as killed only if it was applied', () => {
    expect(score.mutants.filter(({ applied }) => applied === 0)).toEqual([]);
  });

  test('names the mutant that survives, and the requirement that missed it', () => {
    const one = { requirement: 'LIST-1', mutant: 'm', applied: 2, evidence: 0 };
    const living = { ...one, killed: false, ended: 'pass' };
    const idle = { ...living, applied: 0 };
    const bare = { ...one, killed: true, ended: 'fail: x' };
    expect(findGaps({ mutants: [living, idle, bare], variants: [] })).toEqual([
      'm survives: LIST-1 ended as pass',
      'm was never applied by the check of LIST-1, which ended as pass',
      'm: LIST-1 failed without evidence',
    ]);
  });

  test('names the legal variant that fails, and the requirement that failed it', () => {
    const against = [{ requirement: 'LIST-1', message: 'fail: x' }];
    const gaps = findGaps({
      mutants: [],
      variants: [
        { variant: 'v', passed: false, against },
        { variant: 'w', passed: true, against: [] },
      ],
    });
    expect(gaps).toEqual(['v is legal: LIST-1 fail: x']);
  });
});

describe('a mock that is not broken', () => {
  test('is conformant, with nothing blocked', async () => {
    const report = await runAgainst(createMock({ now: Date.now, recordingDelay: 0 }).fetch);
    expect(report.reasons).toEqual([]);
    expect(report.verdict).toBe('conformant');
    const open = report.results.filter(({ outcome }) => !['pass', 'untested'].includes(outcome));
    expect(open).toEqual([]);
  });
});

describe('a legal mock that is slower than the patience of the run', () => {
  const late = [
    ...['listed-late', 'waiting-first', 'processing-first', 'statusless-first'],
    ...['addressed-first', 'end-lags', 'pages-of-two'],
  ];

  test.each(late)('%s fails nothing, with and without the optional operations', async (name) => {
    const slow = findVariant(name);
    // A busy machine must not take as long as the recording.
    const isLate = slow.dialect?.behaviours?.['time.ready'] !== undefined;
    const behaviours = { ...slow.dialect?.behaviours, ...(isLate && { 'time.ready': 60_000 }) };
    for (const { refusals = {} } of [{}, { ...findVariant('optional-operations-404').dialect }]) {
      const { fetch } = makeVariant({ ...slow, dialect: { behaviours, refusals } });
      const { results } = await runAgainst(fetch);
      const failed = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error');
      expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    }
  });
});

function findVariant(name: string): Variant {
  const variant = variants[name];
  if (variant === undefined) throw new RangeError(`no variant is called ${name}`);
  return variant;
}

describe('a target that does nothing', () => {
  const responses: Readonly<Record<string, () => Response>> = {
    '200 {}': () => Response.json({}),
    '200 []': () => Response.json([]),
    '201 {}': () => Response.json({}, { status: 201 }),
    '204': () => new Response(null, { status: 204 }),
    '302': () => new Response(null, { status: 302, headers: { location: '/login' } }),
    '401': () => Response.json({ errors: ['key'] }, { status: 401 }),
    '404': () => Response.json({ errors: ['path'] }, { status: 404 }),
    '500': () => new Response('Internal Server Error', { status: 500 }),
  };
  /** What such a response does satisfy: its status, or that it is a JSON object. */
  const satisfied: Readonly<Record<string, readonly string[]>> = {
    '200 {}': ['CREATE-2', 'CREATE-13'],
    '201 {}': ['CREATE-1', 'CREATE-2', 'CREATE-13'],
  };

  test.each(Object.keys(responses))(
    'and answers %s to everything satisfies nothing',
    async (name) => {
      const response = responses[name] ?? Response.error;
      const { verdict, results } = await runAgainst(async () => response());
      const passed = results.filter(
        ({ level, outcome }) => level !== 'observe' && outcome === 'pass',
      );
      expect(passed.map(({ id }) => id)).toEqual(satisfied[name] ?? []);
      // If every request is refused or redirected, nothing is known about the target.
      const unknown = ['302', '401', '404'].includes(name);
      expect(verdict).toBe(unknown ? 'incomplete' : 'nonconformant');
    },
  );
});
