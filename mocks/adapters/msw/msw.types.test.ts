import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { compileApp } from '../../../tools/compile.test-support.ts';

const source = `
import { createMock } from 'livestream-mock';
import { handlers } from 'livestream-mock/msw';
import { setupWorker } from 'msw/browser';
import { setupServer } from 'msw/node';
setupServer(...handlers(createMock(), { baseUrl: 'https://livestream.test/api' })).listen();
void setupWorker(...handlers(createMock())).start();
// @ts-expect-error
handlers(createMock(), { address: '/api' });
`;

test.each(['msw', 'msw-next'])('the declarations compile with those of %s', async (msw) => {
  const installed = resolve(import.meta.dirname, '../../../node_modules', msw, 'lib');
  const output = await compileApp(source, {
    msw: [join(installed, 'core/index')],
    'msw/*': [join(installed, '*/index')],
  });
  expect(output).toBe('');
});
