import type { Dialect } from './dialect.ts';

/** Dialects that come with the package, by their names. */
export const bundledDialects: Readonly<Record<'backend-only', Dialect>> = {
  'backend-only': {
    format: 'livestream-mock/dialect',
    version: 1,
    name: 'backend-only: requests of pages are refused',
    rows: { 'cors.requests': { status: 403 } },
  },
};
