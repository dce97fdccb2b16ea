import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const schemaInPackage = join('node_modules', 'livestream-mock', 'dist', 'dialect.schema.json');

/**
 * The `$schema` of a dialect file, with which an editor completes and checks it: the installed package's, as a path from the
 * file. `undefined` if the package is not installed in the file's folder or one above.
 */
export function schemaFor(file: string): string | undefined {
  const ofFile = dirname(resolve(file));
  let folder = ofFile;
  while (!existsSync(join(folder, schemaInPackage))) {
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
  const path = relative(ofFile, join(folder, schemaInPackage)).replaceAll(sep, '/');
  return path.startsWith('.') ? path : `./${path}`;
}
