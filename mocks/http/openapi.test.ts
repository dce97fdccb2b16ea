import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { createOpenApi } from './openapi.ts';
import { operations, pathOf } from './operations.ts';

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
  for (const [operationId, operation] of Object.entries(operations)) {
    const path = pathOf(operation, '/v1');
    expect(paths[path][operation.method.toLowerCase()]).toMatchObject({ operationId });
  }
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
