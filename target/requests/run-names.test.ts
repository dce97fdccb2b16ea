import { expect, test } from 'vitest';
import {
  hasMarkedName,
  isSameName,
  markedName,
  withMarkedName,
  withoutMarks,
} from './run-names.ts';

test('each name is new, says where it comes from, and keeps what was asked for', () => {
  const [first, second] = [markedName(' two  spaces '), markedName(' two  spaces ')];
  expect(first).toMatch(/^ livestream-mock [0-9a-f]{4}-\d+ two {2}spaces $/);
  expect(first).not.toBe(second);
  expect([first, second].map(withoutMarks)).toEqual([' two  spaces ', ' two  spaces ']);
  expect(isSameName(first, second)).toBe(true);
});

test('a name that is blank or already marked stays as it is', () => {
  const name = markedName('a');
  expect([markedName(name), markedName(''), markedName('  ')]).toEqual([name, '', '  ']);
});

test('a long name keeps its length', () => {
  const long = 'a'.repeat(255);
  expect(markedName(long)).toHaveLength(255);
  expect(isSameName(markedName(long), long)).toBe(true);
});

test('names that differ by more than a mark are not the same', () => {
  expect(isSameName('a'.repeat(200), '')).toBe(false);
});

test('the name of an ordinary stream has at most 32 characters', () => {
  expect(markedName('check').length).toBeLessThanOrEqual(32);
});

test('a body without a name stays as it is', () => {
  for (const body of [{}, { name: 7 }, 'text', undefined]) {
    expect(withMarkedName(body)).toBe(body);
    expect(hasMarkedName(JSON.stringify(body))).toBe(false);
  }
  expect(hasMarkedName(JSON.stringify(withMarkedName({ name: 'a' })))).toBe(true);
});

test('a mark is found where a service made an address of the name', () => {
  expect(withoutMarks(`/live/${markedName('learn').replaceAll(' ', '-')}`)).toBe('/live/learn');
});
