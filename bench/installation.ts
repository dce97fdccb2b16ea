import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProgram } from './processes.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const installArgs = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Installs the peers and the load generator below `bench`, where they are not yet.
 * @throws Error with what npm said
 */
export async function installPeers(say: (line: string) => void): Promise<void> {
  // npm writes this file when all is in its place.
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return;
  say('installing what is compared with: npm ci --prefix bench --omit=peer');
  // Without its peer, the middleware finds the project's own msw.
  await runProgram('npm', [...installArgs, '--omit=peer', '--prefix', folder], {
    shell: process.platform === 'win32',
  });
}
