import { describe, expect, test } from 'vitest';
import type { VariantText } from '../../mocks/variants/families.ts';
import { byNight } from '../../tools/nightly.test-support.ts';
import { isViolation } from '../model/report.ts';
import { runAgainst } from '../run-against.test-support.ts';
import { type LegalService, legalServices, quickServices } from './legal-services.ts';
import { makeService, scoreSuite } from './score.ts';

test('every mutant is killed by its own check, and every legal service passes', async () => {
  expect(await scoreSuite(byNight(legalServices, quickServices()))).toEqual([]);
}, 600_000);

describe('a legal service whose recordings take longer than the patience of the run', () => {
  const late = [
    ...['listed-when-ready', 'waiting-first', 'processing-first', 'statusless-first'],
    ...['addressed-first', 'end-lags', 'pages-of-two'],
  ];

  test.each(late)('%s fails nothing, with and without the optional operations', async (name) => {
    const service = findService(name);
    // Longer than any delay on a busy machine.
    const recordingDelay = service.recordingDelay === undefined ? 0 : 60_000;
    for (const optional of [[], ['optional-operations-404']]) {
      const names = [service.variant ?? [], optional].flat();
      const variant = names.length === 0 ? undefined : (names.join('+') as VariantText);
      const { fetch } = makeService({ ...service, recordingDelay, variant });
      const { results } = await runAgainst(fetch);
      const failed = results.filter((result) => isViolation(result) || result.outcome === 'error');
      expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    }
  });
});

function findService(name: string): LegalService {
  const service = legalServices[name];
  if (service === undefined) throw new RangeError(`no legal service is called ${name}`);
  return service;
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
  /** What such a response does satisfy, by its status or as a JSON object. */
  const satisfied: Readonly<Record<string, readonly string[]>> = {
    '200 {}': ['CREATE-2', 'CREATE-13', 'CREATE-26'],
    '201 {}': ['CREATE-1', 'CREATE-2', 'CREATE-13', 'CREATE-26'],
  };

  test.each(Object.keys(responses))(
    'and answers everything with %s satisfies nothing',
    async (name) => {
      const response = responses[name] ?? Response.error;
      const { verdict, results } = await runAgainst(async () => response());
      const passed = results.filter(({ outcome }) => outcome === 'pass');
      expect(passed.map(({ id }) => id)).toEqual(satisfied[name] ?? []);
      // If every request is refused or redirected, nothing is known about the target.
      const unknown = ['302', '401', '404'].includes(name);
      expect(verdict).toBe(unknown ? 'incomplete' : 'nonconformant');
    },
  );
});
