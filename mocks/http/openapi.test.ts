import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import type { Dialect } from '../../interface/dialect.ts';
import { createMock } from '../mock.ts';
import { createOpenApi } from './openapi.ts';
import { operationNames, operations, pathOf } from './routes.ts';

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...createOpenApi('/api', '1.2.3') });
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('it is served without a key and lists every operation', async () => {
  const answer = await createMock({ prefix: '/v1' }).fetch(
    new Request('http://livestream.test/openapi.json'),
  );
  expect(answer.status).toBe(200);
  const { paths } = await answer.json();
  for (const operationId of operationNames) {
    const operation =
      paths[pathOf(operationId, '/v1')][operations[operationId].method.toLowerCase()];
    expect(operation).toMatchObject({ operationId });
  }
});

test('it names the dialect of the mock, and what that breaks', async () => {
  const dialect: Dialect = {
    dialect: 2,
    name: 'Acme',
    refusals: { updateStream: { 'field:record:given': 'kept' } },
    behaviours: { 'keys.spelling': { mp4URL: 'mp4Address' } },
  };
  const response = await createMock({ dialect }).fetch(
    new Request('http://livestream.test/openapi.json'),
  );
  expect((await response.json()).info.description).toMatch(
    / Dialect: Acme\. It breaks rules that the interface states: updateStream: field:record:given is kept\. It spells mp4URL as mp4Address\.$/,
  );
});

test('an operation names the clause that states it', () => {
  const { paths } = JSON.parse(JSON.stringify(createOpenApi('/api', '1.2.3')));
  expect(paths['/api/stream/{id}/record'].patch.description).toBe('Clause 4.2 of the interface');
  expect(paths['/_mock/reset'].post).not.toHaveProperty('description');
});

test('it refers to the schemas by name', () => {
  const document = JSON.parse(JSON.stringify(createOpenApi('/api', '1.2.3')));
  const { NewStream, Session } = document.components.schemas;
  expect(NewStream.required).toEqual(['name']);
  expect(NewStream.properties.profiles.items).toEqual({ $ref: '#/components/schemas/Profile' });
  expect(Session.properties.recordingStatus.enum).toContain('ready');
  expect(document.paths['/api/stream'].post.responses['201'].content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/Stream' } },
  });
});
