import { expect, test } from 'vitest';
import { defaultBehaviours } from '../../interface/dialect/behaviours.ts';
import { toDialect, writeBehaviours } from './write-dialect.ts';

test('only the names that differ are written of a value for each of several', () => {
  const page = { listStreams: 5, listSessionsOfStream: 100, listSessions: 100 };
  expect(
    writeBehaviours({ 'list.page-size': page, 'list.order': defaultBehaviours['list.order'] }),
  ).toEqual({ 'list.page-size': { listStreams: 5 } });
});

test('a route with {id} comes after every other that its path fits', () => {
  const paths = ['/{id}/a', '/{id}', '/~a/{id}', '/~a'];
  const observed = paths.map((path) => {
    const value = { method: 'GET', path, status: 200 };
    return [`routes.GET ${path}`, { outcome: 'observed', value, exchanges: [] }] as const;
  });
  const { routes = [] } = toDialect(new Map(observed));
  expect(routes.map(({ path }) => path)).toEqual(paths.toReversed());
});
