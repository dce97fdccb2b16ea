import { orNearest } from '../../text/nearest-name.ts';
import type { Dialect } from './dialect.ts';
import { livepeer } from './livepeer.ts';
import { combineDialects } from './merge-dialects.ts';

/** Dialects that come with the package, by their names. */
export const bundledDialects: Readonly<Record<BundledDialectName, Dialect>> = {
  livepeer,
  'backend-only': {
    dialect: 3,
    name: 'backend-only: requests of pages are refused',
    about: 'A service whose keys belong only in a backend. Written by hand.',
    behaviours: { 'cors.origins': { requests: { status: 403 }, preflights: { status: 403 } } },
  },
};

type BundledDialectName = 'livepeer' | 'backend-only';

/** The name of a bundled dialect, or several, joined by `+`. */
export type DialectText = BundledDialectName | `${BundledDialectName}+${string}`;

/** The names of the bundled dialects. */
export const bundledDialectNames: readonly string[] = Object.keys(bundledDialects);

/** The bundled dialect of a name; `undefined` if there is none. */
export function bundledDialect(name: string): Dialect | undefined {
  return new Map<string, Dialect>(Object.entries(bundledDialects)).get(name);
}

/**
 * Reads the names of bundled dialects, joined by `+`: one dialect in which the later says what both say.
 * @throws Error for an unknown name
 */
export function readBundledDialects(text: string): Dialect {
  return combineDialects(text.split('+').map(requireBundled));
}

function requireBundled(name: string): Dialect {
  const dialect = bundledDialect(name);
  if (dialect !== undefined) return dialect;
  const nearest = orNearest(name, bundledDialectNames);
  throw new Error(
    `expected a dialect, or the name of a bundled one (${bundledDialectNames.join(', ')})${nearest}, got "${name}"`,
  );
}
