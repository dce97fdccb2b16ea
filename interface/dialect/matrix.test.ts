import { expect, test } from 'vitest';
import type { Cell } from './cells.ts';
import type { Endpoint, ErrorId } from './errors.ts';
import { isMasked } from './matrix.ts';

/** Whether one cell hides another, if nothing else is known. */
function hides(
  [hidingEndpoint, hidingError]: readonly [Endpoint, ErrorId],
  hidingCell: Cell,
  [endpoint, error]: readonly [Endpoint, ErrorId],
): boolean {
  return isMasked(endpoint, error, (of, id) =>
    of === hidingEndpoint && id === hidingError ? hidingCell : undefined,
  );
}

const refused: Cell = { status: 404 };
const kept: Cell = { as: 'kept' };
const dropped: Cell = { as: 'dropped' };

test('a refused operation hides every other cell of it', () => {
  const operation = ['updateStream', 'operation:given'] as const;
  expect(hides(operation, refused, ['updateStream', 'id:unknown'])).toBe(true);
  expect(hides(operation, refused, ['updateStream', 'body:none'])).toBe(true);
});

test('a refused operation hides neither itself nor other operations', () => {
  const operation = ['updateStream', 'operation:given'] as const;
  expect(hides(operation, refused, operation)).toBe(false);
  expect(hides(operation, refused, ['deleteStream', 'id:unknown'])).toBe(false);
});

test('an operation that is offered hides nothing', () => {
  const operation = ['updateStream', 'operation:given'] as const;
  expect(hides(operation, { as: 'accepted' }, ['updateStream', 'id:unknown'])).toBe(false);
});

test('where nothing can be deleted, no operation shows what becomes of deleted ids', () => {
  const deletion = ['deleteStream', 'operation:given'] as const;
  expect(hides(deletion, refused, ['retrieveStream', 'id:deleted'])).toBe(true);
  expect(hides(deletion, refused, ['retrieveStream', 'id:unknown'])).toBe(false);
});

test.each<[isHidden: boolean, Cell]>([
  [true, refused],
  [true, kept],
  [false, dropped],
])('that a body has only an unknown field is hidden: %s, if the field is %o', (isHidden, cell) => {
  const field = ['updateStream', 'field:unknown:given'] as const;
  expect(hides(field, cell, ['updateStream', 'body:unknown'])).toBe(isHidden);
});

test.each<[isHidden: boolean, Cell]>([
  [true, refused],
  [true, dropped],
  [false, kept],
])('wrong values of a field are hidden: %s, if the field is %o', (isHidden, cell) => {
  const field = ['createStream', 'field:profiles:given'] as const;
  expect(hides(field, cell, ['createStream', 'field:profiles:null'])).toBe(isHidden);
  expect(hides(field, cell, ['createStream', 'field:name:null'])).toBe(false);
});

test('profiles that are dropped hide what happens to the fields in them', () => {
  const profiles = ['createStream', 'field:profiles:given'] as const;
  expect(hides(profiles, dropped, ['createStream', 'field:profiles[].width:zero'])).toBe(true);
});

test('a parameter that is dropped hides its wrong values', () => {
  const limit = ['listStreams', 'query:limit:given'] as const;
  expect(hides(limit, dropped, ['listStreams', 'query:limit:zero'])).toBe(true);
});

test.each<[isHidden: boolean, Cell]>([
  [true, refused],
  [true, dropped],
  [false, kept],
])('long names of a profile are hidden: %s, if unusual ones are %o', (isHidden, cell) => {
  const unusual = ['createStream', 'field:profiles[].name:unusual'] as const;
  expect(hides(unusual, cell, ['createStream', 'field:profiles[].name:large'])).toBe(isHidden);
  expect(hides(unusual, cell, ['createStream', 'field:profiles[].name:empty'])).toBe(false);
});

test('where a limit is refused, no list shows what happens to one that is given twice', () => {
  const limit = ['listStreams', 'query:limit:given'] as const;
  expect(hides(limit, refused, ['listStreams', 'query:repeated'])).toBe(true);
  expect(hides(limit, dropped, ['listStreams', 'query:repeated'])).toBe(false);
});

test.each<[isHidden: boolean, Cell]>([
  [true, refused],
  [true, dropped],
  [false, kept],
])('many profiles are hidden: %s, if unusual names are %o', (isHidden, cell) => {
  const unusual = ['createStream', 'field:profiles[].name:unusual'] as const;
  expect(hides(unusual, cell, ['createStream', 'field:profiles:large'])).toBe(isHidden);
  expect(hides(unusual, cell, ['createStream', 'field:profiles:none'])).toBe(false);
});

test.each<[isHidden: boolean, Cell]>([
  [true, refused],
  [true, dropped],
  [false, kept],
])('a field of a live stream is hidden: %s, if in updates it is %o', (isHidden, cell) => {
  const name = ['updateStream', 'field:name:given'] as const;
  expect(hides(name, cell, ['updateStream', 'state:live:name'])).toBe(isHidden);
  expect(hides(name, cell, ['updateStream', 'state:live:suspended'])).toBe(false);
});

test('a cell of which nothing is known hides nothing', () => {
  expect(isMasked('createStream', 'field:name:null', () => undefined)).toBe(false);
});
