import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { creationPath, unknownPath } from '../../conformance/target/gate.ts';
import { interfaceOperationNames } from '../../interface/operation-names.ts';
import { isWrite, type Move } from './moves.ts';
import { sequences } from './sequences.ts';

const origin = 'https://app.test';
const sample = (seed: number): (readonly Move[])[] =>
  fc.sample(sequences(origin), { seed, numRuns: 200 });

test('every operation is sent, and streams go live and stop', () => {
  const sent = new Set(sample(1).flatMap((moves) => moves.map((move) => Object.keys(move)[0])));
  expect(sent).toEqual(new Set(['operation', 'start', 'stop']));
  const names = sample(1)
    .flat()
    .flatMap((move) => ('operation' in move ? move.operation : []));
  expect(new Set(names)).toEqual(new Set([...interfaceOperationNames, 'unknownRoute']));
});

test('a request that writes names only what the sequence made, even if something is wrong with it', () => {
  const moves = fc.sample(sequences(origin), { seed: 1, numRuns: 2_000 }).flat();
  const writes = moves.filter((move) => 'operation' in move).filter(isWrite);
  const paths = new Set(writes.map(({ call }) => call.path.toLowerCase().replace(/\/$/, '')));
  const mayPass = (path: string): boolean =>
    creationPath.test(path) || path === unknownPath || /^\/(stream|session)\/\{id\}/.test(path);
  expect([...paths].filter((path) => !mayPass(path) || path.includes('?'))).toEqual([]);
});
