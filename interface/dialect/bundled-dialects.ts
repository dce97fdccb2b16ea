import type { Dialect } from './dialect.ts';
import { livepeer } from './livepeer.ts';

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
