import { on } from './rewrite.ts';
import type { VariantTable } from './variant.ts';

/** What the interface leaves open about time. */
export const latencyVariants = {
  slow: {
    statement: 'Every response took two seconds, except those with media.',
    clause: '8',
    argument:
      'Clause 8 does not show the limits of the service, and no clause says how fast it is.',
    metBy: 'use a mock whose clock runs, as that of a server does',
    audience: 'app',
    rewrite: on('operation', async ({ wait }) => {
      await wait(2_000);
      return undefined;
    }),
  },
} as const satisfies VariantTable;
