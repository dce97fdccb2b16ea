import { expect, test } from 'vitest';
import { defaultBehaviours } from '../../interface/dialect/behaviours.ts';
import { writeBehaviours } from './write-dialect.ts';

test('only the names that differ are written of a value for each of several', () => {
  const page = { listStreams: 5, listSessionsOfStream: 100, listSessions: 100 };
  expect(
    writeBehaviours({ 'list.page-size': page, 'list.order': defaultBehaviours['list.order'] }),
  ).toEqual({ 'list.page-size': { listStreams: 5 } });
});
