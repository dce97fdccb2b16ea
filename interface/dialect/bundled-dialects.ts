import type { CheckedDialect } from './dialect.ts';
import { livepeer } from './livepeer.ts';

/** Dialects that come with the package, by their names. */
export const bundledDialects: Readonly<Record<BundledDialectName, CheckedDialect>> = {
  livepeer,
  'backend-only': {
    dialect: 2,
    name: 'backend-only: requests of pages are refused',
    behaviours: { 'cors.origins': { requests: { status: 403 }, preflights: { status: 403 } } },
  },
};

type BundledDialectName = 'livepeer' | 'backend-only';
