import { describe, expect, test } from 'vitest';
import { run } from '../../conformance/run.ts';
import { mediaRoutes, operationNames, operations, pathOf } from '../http/routes.ts';
import { compareResponses } from './compare.test-support.ts';
import { mockOptions, running, still } from './integration.test-support.ts';
import { integrations } from './integrations.test-support.ts';
import { openCommandLine } from './open-http.test-support.ts';
import { script, unscripted } from './script.test-support.ts';

const routes = [
  ...operationNames
    .filter((name) => !unscripted.includes(name))
    .map((name) => [`${operations[name].method} ${pathOf(name, '/api')}`, operations[name].status]),
  ...Object.values(mediaRoutes).map((path) => [`GET ${path}`, 200]),
] as [string, number][];

test.each(routes)('the script has %s with a response of %i', (route, status) => {
  const pattern = new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`);
  const steps = script.filter(([expected]) => expected === status || expected === 206);
  expect(steps.map(([, line]) => line)).toContainEqual(expect.stringMatching(pattern));
});

test('the mock is conformant by `livestream-mock serve`, and so wherever the bytes are the same', async () => {
  const { origin, send } = await openCommandLine(running);
  const provider = { controlUrl: `${origin}/_mock` };
  const report = await run({ apiKey: 'test-demo', baseUrl: `${origin}/api`, send, provider });
  expect(report.reasons).toEqual([]);
  expect(report.verdict).toBe('conformant');
});

describe.each(integrations)('with $name', ({ open, adds }) => {
  test('a client meets the dialect that the mock was made with', async () => {
    const behaviours = { 'http.json-type': 'application/json' };
    const dialect = { dialect: 2, behaviours } as const;
    const { origin, send } = await open({ ...still, dialect });
    const headers = { authorization: 'Bearer test-demo' };
    const response = await send(new Request(`${origin}/api/stream`, { headers }));
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  test('every response is what the mock itself sends, byte by byte', async () => {
    const { origin, send } = await open(still);
    const { differences, added } = await compareResponses(mockOptions(still), origin, send);
    expect(differences).toEqual([]);
    expect(added).toEqual(Object.keys(adds).sort());
  });
});
