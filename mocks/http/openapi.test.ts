import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { createMock } from '../mock.ts';
import { createOpenApi } from './openapi.ts';
import { operationNames, operations, pathOf } from './routes.ts';

const place = { origin: 'http://livestream.test', prefix: '/api' };

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...createOpenApi(place, '1.2.3') });
  expect([valid, errors]).toEqual([true, undefined]);
  expect(validator.version).toBe('3.1');
});

test('the document is served without a key, and lists every operation', async () => {
  const request = new Request('http://livestream.test/openapi.json');
  const answer = await createMock({ prefix: '/v1' }).fetch(request);
  const { paths, servers } = await answer.json();
  expect(servers).toEqual([{ url: 'http://livestream.test' }]);
  for (const operationId of operationNames) {
    const method = operations[operationId].method.toLowerCase();
    expect(paths[pathOf(operationId, '/v1')][method]).toMatchObject({ operationId });
  }
});

test('the document names the dialect of the mock, and the rules that it breaks', async () => {
  const dialect: Dialect = {
    dialect: 3,
    name: 'Acme',
    errors: { updateStream: { 'field:record': { given: 'kept' } } },
    behaviours: { 'keys.spelling': { mp4URL: 'mp4Address' } },
  };
  expect(Object(createOpenApi(place, '1.2.3', dialect)).info.description).toMatch(
    / Dialect: Acme\. It breaks rules that the interface states: updateStream: field:record:given is kept \(RECORD-16\)\. It spells mp4URL as mp4Address \(LIST-13, MEDIA-6\)\.$/,
  );
});

test('the document names clauses, and refers to schemas by name', () => {
  const text = JSON.stringify(createOpenApi(place, '1.2.3'));
  const { paths, components } = JSON.parse(text);
  const { post } = paths['/api/stream'];
  expect(post.description).toBe('Clause 4.1 of the interface');
  expect(post.responses['201'].content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/Stream' } },
  });
  const { required, properties } = components.schemas.NewStream;
  expect(required).toEqual(['name']);
  expect(properties.profiles.items).toEqual({ $ref: '#/components/schemas/Profile' });
  const references = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(references.map(([, name]) => name)),
  );
});
