import { fileURLToPath } from 'node:url';

/** Path of a file of a package that the bench has installed. */
export function installed(path: string): string {
  return fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));
}
