import { expect, test } from 'vitest';
import { bundledDialects } from '../interface/dialect/bundled-dialects.ts';
import { createTestMock } from './adapters/test-mock.ts';
import { createMock } from './mock.ts';

test('the mock of a test has a bundled dialect by its name', async () => {
  const { mock } = await createTestMock({ dialect: 'livepeer' });
  expect(mock.dialect).toEqual(bundledDialects.livepeer);
});

test('of bundled dialects that are joined by +, the mock has both', () => {
  const { dialect } = createMock({ dialect: 'livepeer+backend-only' });
  const { livepeer, 'backend-only': backendOnly } = bundledDialects;
  expect(dialect).toMatchObject({
    name: `${livepeer.name} + ${backendOnly.name}`,
    errors: livepeer.errors,
    behaviours: { ...livepeer.behaviours, ...backendOnly.behaviours },
  });
});
