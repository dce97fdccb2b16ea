import type { VariantTable } from './variant.ts';

/** What the interface leaves open about the account of an API key. */
export const accountVariants = {
  'crowded-account': {
    statement:
      'The account already had 200 other streams, with names of emoji, right-to-left text and 300 characters, and with sessions, some of which had failed.',
    clause: '4.4',
    argument:
      '4.4 does not show what the list of all streams has, and clause 5 not who shares a key.',
    metBy: 'list all streams or all sessions',
    ofTest:
      'If only a test expects no streams but its own, let it look for its own by their names.',
    audience: 'app',
    isApart: true,
    options: { hasOthers: true },
  },
} as const satisfies VariantTable;
