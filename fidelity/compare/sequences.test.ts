import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { creationPath, unknownPath } from '../../conformance/target/gate.ts';
import { interfaceOperationNames } from '../../interface/operation-names.ts';
import { isWrite, type Move } from './moves.ts';
import { sequences } from './sequences.ts';

const offers = { live: 'stop', origin: 'https://app.test' } as const;
const sample = (seed: number): (readonly Move[])[] =>
  fc.sample(sequences(offers), { seed, numRuns: 200 });

test('every operation is sent, and nothing goes live that cannot', () => {
  const sent = new Set(sample(1).flatMap((moves) => moves.map((move) => Object.keys(move)[0])));
  expect(sent).toEqual(new Set(['operation', 'start', 'stop']));
  const names = sample(1)
    .flat()
    .flatMap((move) => ('operation' in move ? move.operation : []));
  expect(new Set(names)).toEqual(new Set([...interfaceOperationNames, 'unknownRoute']));
  const still = fc.sample(sequences({ ...offers, live: 'none' }), { seed: 1, numRuns: 200 });
  expect(still.flat().filter((move) => 'start' in move || 'stop' in move)).toEqual([]);
});

test('a request that writes names only what the sequence made, whatever is wrong with it', () => {
  const moves = fc.sample(sequences(offers), { seed: 1, numRuns: 2_000 }).flat();
  const writes = moves.filter((move) => 'operation' in move).filter(isWrite);
  const paths = new Set(writes.map(({ call }) => call.path.toLowerCase().replace(/\/$/, '')));
  const mayPass = (path: string): boolean =>
    creationPath.test(path) || path === unknownPath || /^\/(stream|session)\/\{id\}/.test(path);
  expect([...paths].filter((path) => !mayPass(path) || path.includes('?'))).toEqual([]);
});
