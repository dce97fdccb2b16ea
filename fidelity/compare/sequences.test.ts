import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { interfaceOperationNames } from '../../interface/operation-names.ts';
import { creationPath, unknownPath } from '../../target/requests/well-known.ts';
import { runAgainst } from './against.test-support.ts';
import { isWrite, type Move, requestOf } from './moves.ts';
import { sequences } from './sequences.ts';

const moves = fc.sample(sequences('https://app.test'), { seed: 1, numRuns: 2_000 }).flat();

test('every operation is sent, and streams go live and stop', () => {
  const kinds = moves.map((move) => Object.keys(move)[0]);
  expect(new Set(kinds)).toEqual(new Set(['endpoint', 'start', 'stop']));
  const names = moves.flatMap((move) => ('endpoint' in move ? move.endpoint : []));
  expect(new Set(names)).toEqual(new Set([...interfaceOperationNames, 'unknownRoute']));
});

test('a request that writes names only what the sequence made, even if something is wrong with it', () => {
  const writes = moves.filter((move) => 'endpoint' in move).filter(isWrite);
  const paths = new Set(writes.map(({ call }) => call.path.toLowerCase().replace(/\/$/, '')));
  const mayPass = (path: string): boolean =>
    creationPath.test(path) || path === unknownPath || /^\/(stream|session)\/\{id\}/.test(path);
  expect([...paths].filter((path) => !mayPass(path) || path.includes('?'))).toEqual([]);
});

test('a preflight carries no key, as browsers never send one', () => {
  const preflights = moves.filter((one) => 'endpoint' in one && one.traits?.includes('preflight'));
  const keys = preflights.flatMap((move) =>
    'endpoint' in move ? [move.call.credential, move.call.headers?.['authorization']] : [],
  );
  expect(new Set(keys)).toEqual(new Set(['none', undefined]));
});

test('a stream that an update may have suspended does not go live, as the service may refuse it', async () => {
  const newest = { of: 'stream', at: 0 } as const;
  const suspend = requestOf('updateStream', { id: newest, body: { suspended: true } });
  const goLive: Move = { start: newest };
  const steps = await runAgainst([
    requestOf('createStream', { body: { name: 'suspended' } }),
    suspend,
    goLive,
  ]);
  expect(steps.map(({ move, unanswered }) => unanswered ?? Object.keys(move)[0])).toEqual([
    'endpoint',
    'endpoint',
  ]);
});
