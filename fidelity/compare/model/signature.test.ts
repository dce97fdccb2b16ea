import { expect, test } from 'vitest';
import { accepts, covers, hasSameCause, type Signature } from './signature.ts';

const origin: Signature = {
  operation: 'createStream',
  about: [],
  where: 'header access-control-allow-origin',
  kinds: ['absent', '*'],
};
const ofList: Signature = { ...origin, operation: 'listStreams', about: ['origin'] };

test('a header that is set in one place has one cause in all operations', () => {
  expect(covers(origin, ofList)).toBe(false);
  expect(hasSameCause(origin, ofList)).toBe(true);
  expect(hasSameCause(ofList, origin)).toBe(false);
  expect(hasSameCause(origin, { ...ofList, kinds: ['absent', 'null'] })).toBe(false);
});

test('a status has a cause of its own in each operation', () => {
  const status: Signature = { ...origin, where: 'status', kinds: ['200', '204'] };
  expect(hasSameCause(status, { ...status, operation: 'listStreams' })).toBe(false);
});

test('an entry accepts what has the same cause in another operation', () => {
  const written = 'createStream | header access-control-allow-origin | absent ≠ *';
  expect(accepts(written, origin)).toBe(true);
  expect(accepts(written, { ...origin, operation: 'listStreams' })).toBe(true);
  expect(accepts(written, ofList)).toBe(false);
  expect(accepts('createStream | status | 200 ≠ 204', origin)).toBe(false);
});
