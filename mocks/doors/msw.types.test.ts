import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

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

test.each(['msw', 'msw-next'])('the declarations fit those of %s', async (msw) => {
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const installed = join(root, 'node_modules', msw, 'lib');
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    // What libraries declare of their own is not looked into, but ours is.
    skipLibCheck: true,
    paths: {
      'livestream-mock': [join(root, 'dist/index.d.ts')],
      'livestream-mock/msw': [join(root, 'dist/msw.d.ts')],
      msw: [join(installed, 'core/index')],
      'msw/*': [join(installed, '*/index')],
    },
  };
  writeFileSync(join(folder, 'app.ts'), source);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['app.ts'] }),
  );
  const tsc = join(root, 'node_modules/.bin/tsc');
  const finished = await promisify(execFile)(tsc, ['--project', folder]).then(
    ({ stdout }) => ({ status: 0, stdout }),
    ({ code, stdout }) => ({ status: code, stdout }),
  );
  expect(finished).toEqual({ status: 0, stdout: '' });
});
