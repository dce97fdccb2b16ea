import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary.test-support.ts';

const root = resolve(import.meta.dirname, '..');

/** The compiler, which is also the language server of editors. */
export const compiler = join(root, 'node_modules/.bin/tsc');

/** Where modules are found, besides those of the package. */
type Paths = Readonly<Record<string, readonly string[]>>;

/**
 * Compiles an app against the built declarations. Returns what the compiler reports about `app.ts` and the
 * declarations, which is nothing if everything fits. `paths` are for other modules.
 */
export async function compileApp(source: string, paths: Paths = {}): Promise<string> {
  const folder = writeApp(source, paths);
  const options = ['--project', folder, '--pretty', 'false'];
  const run = promisify(execFile)(compiler, options, { cwd: folder });
  return run.then(
    ({ stdout }) => stdout,
    ({ code, stdout }) => `${stdout}tsc ended with status ${code}`,
  );
}

/** Writes an app that uses the built declarations. Returns its folder, in which it is `app.ts`. */
export function writeApp(source: string, paths: Paths = {}): string {
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
  return folder;
}
