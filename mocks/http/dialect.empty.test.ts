import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedNames, errorsOf } from '../../interface/errors.ts';
import { byNight } from '../../tools/nightly.test-support.ts';
import { createMock, type Mock } from '../mock.ts';
import { connect } from './dialect.test-support.ts';
import {
  fuzzKey,
  malformedPlans,
  type RequestPlan,
  toRequest,
  wellFormedPlans,
} from './fuzz.test-support.ts';
import { makeSubjects, otherKey, ownKey, wrongRequest } from './wrong-request.test-support.ts';

// The bodies of a dialect are read by the table of fields, and without one by schemas: both say the same.

const time = Date.UTC(2026, 0, 1);
const empty = { dialect: 2 } as const;

/** What a client sees of a response; how a refusal is worded may differ. */
async function seen(mock: Mock, request: Request): Promise<unknown> {
  const response = await mock.fetch(request);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return response.status;
  }
  const text = await response.text();
  // Without a dialect the mock names what Livepeer has and it has not.
  if (response.status === 501) return 404;
  return response.status < 400 ? sorted(text) : response.status;
}

/** A text, or JSON with its keys in order. */
function sorted(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function agree(plans: readonly RequestPlan[]): Promise<void> {
  const options = { world: 'demo', now: () => time } as const;
  const usual = createMock(options);
  const other = createMock({ ...options, dialect: empty });
  const world = await usual.world(fuzzKey);
  for (const plan of plans) {
    const make = () => toRequest(plan, world);
    const one = make();
    const two = make();
    const about = `${one.method} ${one.url} ${typeof plan.body === 'string' ? plan.body.slice(0, 200) : ''}`;
    // Under a dialect only the paths of the interface are met.
    if (!new URL(one.url).pathname.startsWith('/api')) continue;
    expect([about, await seen(other, two)]).toEqual([about, await seen(usual, one)]);
  }
}

test('a dialect that says nothing changes nothing, whatever a client sends', async () => {
  const plans = fc.array(fc.oneof(malformedPlans, wellFormedPlans), {
    minLength: 40,
    maxLength: 40,
  });
  await fc.assert(fc.asyncProperty(plans, agree), {
    seed: 20_260_101,
    numRuns: byNight(40, 10),
    endOnFailure: true,
  });
});

test.each(askedNames)('nor for any error of %s', async (asked) => {
  const apiKeys = [ownKey, otherKey];
  const clients = await Promise.all(
    [createMock({ apiKeys }), createMock({ apiKeys, dialect: empty })].map((mock) =>
      connect(mock, ownKey),
    ),
  );
  for (const error of errorsOf[asked]) {
    for (const wrong of error.wrong) {
      const statuses = [];
      for (const client of clients) {
        const { request } = await wrongRequest(asked, [wrong], client, await makeSubjects(client));
        statuses.push((await client.mock.fetch(request)).status);
      }
      expect([error.id, wrong, statuses[1]]).toEqual([error.id, wrong, statuses[0]]);
    }
  }
});
