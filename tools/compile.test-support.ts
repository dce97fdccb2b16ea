import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary.test-support.ts';

const root = resolve(import.meta.dirname, '..');

/**
 * Compiles an app against the built declarations. Returns what the compiler reports about `app.ts` and the
 * declarations, which is nothing if everything fits. `paths` are for other modules.
 */
export async function compileApp(
  source: string,
  paths: Readonly<Record<string, readonly string[]>> = {},
): Promise<string> {
  const folder = temporaryFolder();
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
    // Skips the declarations of libraries, but not ours.
    skipLibCheck: true,
    paths: {
      'livestream-mock': [join(root, 'dist/index.d.ts')],
      'livestream-mock/*': [join(root, 'dist/*.d.ts')],
      ...paths,
    },
  };
  writeFileSync(join(folder, 'app.ts'), source);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['app.ts'] }),
  );
  const tsc = join(root, 'node_modules/.bin/tsc');
  const run = promisify(execFile)(tsc, ['--project', folder, '--pretty', 'false'], { cwd: folder });
  return run.then(
    ({ stdout }) => stdout,
    ({ code, stdout }) => `${stdout}tsc ended with status ${code}`,
  );
}
