import type { VariantTable } from './variant.ts';

/** What the interface leaves open about identifiers. */
export const identifierVariants = {
  'stream-ids-in-upper-case': {
    statement: 'Ids of streams were UUIDs in upper case.',
    clause: '2.1',
    argument: '2.1 calls the id UUID-like, and the case of a UUID is free.',
    metBy: 'create a stream',
    audience: 'app',
    options: { streamIds: 'uuid-in-upper-case' },
  },
  'stream-ids-of-version-7': {
    statement: 'Ids of streams were UUIDs of version 7.',
    clause: '2.1',
    argument: '2.1 calls the id UUID-like, and names no version.',
    metBy: 'create a stream',
    audience: 'app',
    options: { streamIds: 'uuid-of-version-7' },
  },
  'session-ids-without-uuid': {
    statement: 'Ids of sessions were no UUIDs, but texts such as "ses_9k2x07qamm3c".',
    clause: '2.3',
    argument: '2.3 calls the id of a session a string; only that of a stream is UUID-like.',
    metBy: 'go live, and look at the session',
    audience: 'app',
    options: { sessionIds: 'prefixed' },
  },
} as const satisfies VariantTable;
