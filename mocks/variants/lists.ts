import { keepPlain, type VariantTable } from './variant.ts';

/** What the interface leaves open about lists. */
export const listVariants = {
  'oldest-first': {
    statement: 'Lists came oldest first.',
    clause: '4.3',
    argument: '4.3 promises an array of sessions, and no order; 4.4 shows nothing of other lists.',
    metBy: 'list at least two streams, or two sessions of a stream',
    audience: 'app',
    dialect: {
      behaviours: {
        'list.order': {
          listStreams: 'oldest-first',
          listSessionsOfStream: 'oldest-first',
          listSessions: 'oldest-first',
        },
      },
    },
  },
  'last-seen-first': {
    statement: 'Lists began with what was live last, not with what was created last.',
    clause: '4.3',
    argument: '4.3 promises an array of sessions, and no order; 4.4 shows nothing of other lists.',
    metBy: 'list two streams of which the older one was live last',
    audience: 'app',
    dialect: {
      behaviours: {
        'list.order': {
          listStreams: 'last-seen-first',
          listSessionsOfStream: 'last-seen-first',
          listSessions: 'last-seen-first',
        },
      },
    },
  },
  'pages-of-one': {
    statement: 'Every list came in pages of one record, with a Link header to the next page.',
    clause: '8',
    argument: 'Clause 8 names page sizes among the limits that are not shown.',
    metBy: 'list at least two streams, or two sessions of a stream',
    shownBy: 'body',
    audience: 'app',
    dialect: pagesOf(1),
  },
  'pages-of-two': {
    statement: 'Every list came in pages of two records, with a Link header to the next page.',
    clause: '8',
    argument: 'Clause 8 names page sizes among the limits that are not shown.',
    metBy: 'list at least three streams, or three sessions of a stream',
    shownBy: 'body',
    audience: 'app',
    dialect: pagesOf(2),
  },
  'listed-when-ready': {
    statement: 'A session appeared in lists only once its recording was ready.',
    clause: '4.3',
    argument: '4.3 lists recorded sessions, and does not say when a session becomes one.',
    metBy: 'list the sessions of a stream while it is live, or before a recording is ready',
    ofTest: keepPlain('such a session'),
    audience: 'app',
    dialect: {
      behaviours: {
        'sessions.appear': { listSessionsOfStream: 'when-ready', listSessions: 'when-ready' },
      },
    },
  },
  'listed-at-the-end': {
    statement: 'A session appeared in lists only once it had ended.',
    clause: '4.3',
    argument: '4.3 lists recorded sessions, and does not say when a session becomes one.',
    metBy: 'list the sessions of a stream while it is live',
    ofTest: keepPlain('such a session'),
    audience: 'app',
    dialect: {
      behaviours: {
        'sessions.appear': { listSessionsOfStream: 'at-end', listSessions: 'at-end' },
      },
    },
  },
  'listed-seconds-later': {
    statement: 'A session appeared in lists three seconds after it began.',
    clause: '4.3',
    argument: '4.3 does not promise that a list has a session from its first moment.',
    metBy: 'list the sessions of a stream within three seconds of the moment when it went live',
    ofTest: 'If the clock of a test stands still, let the test advance it by three seconds.',
    audience: 'app',
    dialect: { behaviours: { 'time.listed': 3_000 } },
  },
  'sessions-among-streams': {
    statement: 'The list of all streams also had the sessions, each with its parentId.',
    clause: '2.3',
    argument:
      '2.3 calls a session a historic stream object with a parentId, and 4.4 does not show what the list of all streams has.',
    metBy: 'list all streams once a stream has a session',
    audience: 'app',
    dialect: { behaviours: { 'list.sessions-among-streams': 'sessions' } },
  },
  'unknown-streams-have-empty-lists': {
    statement: 'The sessions of a stream that does not exist were an empty list, not a refusal.',
    clause: '7',
    argument: 'Clause 7 shows no conditions of errors, and no session has such a parentId.',
    metBy: 'list the sessions of a stream that does not exist',
    audience: 'app',
    dialect: {
      errors: {
        listSessionsOfStream: {
          id: {
            percent: 'empty',
            nul: 'empty',
            large: 'empty',
            malformed: 'empty',
            unknown: 'empty',
            deleted: 'empty',
            'other-key': 'empty',
            session: 'empty',
            child: 'empty',
          },
        },
      },
    },
  },
} as const satisfies VariantTable;

function pagesOf(size: number) {
  return {
    behaviours: {
      'list.page-size': { listStreams: size, listSessionsOfStream: size, listSessions: size },
    },
  } as const;
}
