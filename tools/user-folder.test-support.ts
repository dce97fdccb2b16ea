import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { temporaryFolder } from './temporary.test-support.ts';

const root = resolve(import.meta.dirname, '..');

/** The folder of a user who has this package, the `peers` and one file, for one test. */
export function userFolder(peers: readonly string[], file: string, source: string): string {
  const folder = temporaryFolder();
  fillUserFolder(folder, peers, { [file]: source });
  return folder;
}

/** Turns an empty folder into that of a user who has this package, the `peers` and some files. */
export function fillUserFolder(
  folder: string,
  peers: readonly string[],
  files: Readonly<Record<string, string>>,
): void {
  const link = (name: string, target: string): void => {
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path, 'junction');
  };
  link('livestream-mock', root);
  for (const peer of peers) link(peer, join(root, 'node_modules', peer));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [file, source] of Object.entries(files)) writeFileSync(join(folder, file), source);
}
