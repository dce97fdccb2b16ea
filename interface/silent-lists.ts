import * as z from 'zod';
import { ladders } from './limit-ladders.ts';
import {
  oneOf,
  oneOfOrRefusal,
  type Refusal,
  type RowsOf,
  rowsFor,
  type SilentRow,
  type UpperLimit,
  upperLimitSchema,
} from './silent-row.ts';

/** A page has exactly so many records, or at least so many, where no longer list was seen. */
export type PageSize = number | { readonly atLeast: number };
export type ListOrder = 'newest-first' | 'oldest-first';
export type RecordFilter = 'recorded' | 'unrecorded' | 'all' | Refusal;
type ListOperation = (typeof lists)[number];

const lists = ['listStreams', 'listSessionsOfStream', 'listSessions'] as const;

/** Query parameters with which clients of the field choose and order the records of a list. */
export const listQueries = ['active', 'order-by', 'filters'] as const;

/** Which records lists show, in which order and how many, and how recordings come to be ready. */
export type ListBehaviours = Readonly<
  Record<'list.page-size' | 'sessions.page-size', PageSize> &
    Record<
      | 'list.limit'
      | 'sessions.parent-filter'
      | 'sessions.record-of-all'
      | `list.${(typeof listQueries)[number]}.${ListOperation}`,
      'works' | 'ignored' | Refusal
    > &
    Record<'list.largest-limit', UpperLimit> &
    Record<'list.impossible-limit' | `list.unknown-query.${ListOperation}`, 'ignored' | Refusal> &
    Record<'list.impossible-cursor', 'ignored' | 'empty' | Refusal> &
    Record<'list.next', 'link' | 'x-next-cursor' | 'not'> &
    Record<'list.full-last-page', 'told' | 'not'> &
    Record<'list.order' | 'sessions.order', ListOrder> &
    Record<'list.sessions-among-streams', 'streams' | 'both'> &
    Record<`sessions.record-${'absent' | '0' | 'true' | 'odd'}`, RecordFilter> &
    Record<'sessions.appear', 'at-start' | 'at-end' | 'when-ready'> &
    Record<'sessions.status-before-ready' | 'sessions.status-unrecorded', string | null> &
    Record<'sessions.addresses-before-ready', 'absent' | 'present'> &
    Record<'time.ready' | 'time.listed', number>
>;

const refused = { status: 422 } as const;
const otherRefusal = { status: 406 } as const;

const pageSizeSchema: z.ZodType<PageSize> = z.union(
  [
    z.int('a whole number above 0').min(1, 'a whole number above 0'),
    z.strictObject({ atLeast: z.int().min(0) }),
  ],
  'a whole number above 0, or {"atLeast"}',
);

const statusSchema = z.union(
  [z.null(), z.string().regex(/^(?!ready$)[a-z][a-z_-]{0,30}$/)],
  'a word other than ready, or null',
);

const delaySchema = z.int('milliseconds').min(0, 'milliseconds').max(86_400_000, 'at most a day');

const orderSchema = oneOf('newest-first', 'oldest-first');
const recordFilterSchema = oneOfOrRefusal('recorded', 'unrecorded', 'all');

function pageSizeRow(question: string): SilentRow<PageSize> {
  return {
    clause: '8',
    question,
    values: pageSizeSchema,
    default: 100,
    samples: [2, 5],
    bounds: ['LIST-17'],
  };
}

function orderRow(question: string): SilentRow<ListOrder> {
  return {
    clause: '4.4',
    question,
    values: orderSchema,
    default: 'newest-first',
    samples: ['oldest-first'],
    bounds: [],
  };
}

function recordFilterRow(
  question: string,
  usual: 'recorded' | 'unrecorded' | 'all',
): SilentRow<RecordFilter> {
  const others = (['recorded', 'unrecorded', 'all'] as const).filter((one) => one !== usual);
  return {
    clause: '4.3',
    question,
    values: recordFilterSchema,
    default: usual,
    samples: [...others, refused],
    bounds: ['LIST-3'],
  };
}

function ignoredOrRefusedRow(
  question: string,
  usual: 'ignored' | Refusal,
): SilentRow<'ignored' | Refusal> {
  return {
    clause: '8',
    question,
    values: oneOfOrRefusal('ignored'),
    default: usual,
    samples: usual === 'ignored' ? [refused] : ['ignored', otherRefusal],
    bounds: ['LIST-1'],
  };
}

function queryRow(question: string): SilentRow<'works' | 'ignored' | Refusal> {
  return {
    clause: '4.4',
    question,
    values: oneOfOrRefusal('works', 'ignored'),
    default: 'works',
    samples: ['ignored', refused],
    bounds: ['LIST-1'],
  };
}

/** Which records lists show, in which order and how many. */
export const listRows: RowsOf<ListBehaviours> = {
  'list.page-size': pageSizeRow('How many streams has a page of the list of all?'),
  'sessions.page-size': pageSizeRow('How many sessions has a page of a list?'),
  'list.limit': {
    clause: '8',
    question: 'Does the query parameter limit set the length of a page?',
    values: oneOfOrRefusal('works', 'ignored'),
    default: 'works',
    samples: ['ignored', refused],
    bounds: ['LIST-1'],
    hides: { unless: ['works'], rows: ['list.largest-limit', 'list.impossible-limit'] },
  },
  'list.largest-limit': {
    clause: '8',
    question: 'How large may limit be?',
    values: upperLimitSchema(ladders.limit[0]),
    default: { atLeast: 1_000, below: 5_000, refusal: refused },
    samples: [{ atLeast: 50, below: 100, refusal: refused }, { atLeast: 10_000 }],
    bounds: [],
  },
  'list.impossible-limit': ignoredOrRefusedRow(
    'What becomes of an impossible limit, such as 0?',
    refused,
  ),
  'list.impossible-cursor': {
    clause: '8',
    question: 'What becomes of a cursor that the service never gave?',
    values: oneOfOrRefusal('ignored', 'empty'),
    default: refused,
    samples: ['ignored', 'empty', otherRefusal],
    bounds: [],
  },
  'list.next': {
    clause: '8',
    question: 'How is a client told of the next page?',
    note: 'link: by a Link header; x-next-cursor: by a header of that name; not: by nothing',
    values: oneOf('link', 'x-next-cursor', 'not'),
    default: 'link',
    samples: ['x-next-cursor', 'not'],
    bounds: ['LIST-17'],
    hides: { when: ['not'], rows: ['list.full-last-page'] },
  },
  'list.full-last-page': {
    clause: '8',
    question: 'Is a client told of a next page by a last page that is full?',
    note: 'told: the next page is then empty',
    values: oneOf('told', 'not'),
    default: 'told',
    samples: ['not'],
    bounds: [],
  },
  'list.order': orderRow('In which order are streams listed?'),
  'sessions.order': orderRow('In which order are sessions listed?'),
  ...rowsFor('list.unknown-query', lists, (name) =>
    ignoredOrRefusedRow(`What becomes of an unknown query parameter of ${name}?`, 'ignored'),
  ),
  ...rowsFor('list.active', lists, (name) =>
    queryRow(`Does active=true restrict ${name} to what is live?`),
  ),
  ...rowsFor('list.order-by', lists, (name) =>
    queryRow(`Does order=createdAt-false list the oldest first in ${name}?`),
  ),
  ...rowsFor('list.filters', lists, (name) =>
    queryRow(`Does filters=[{"id","value"}] restrict ${name} to what has these values?`),
  ),
  'list.sessions-among-streams': {
    clause: '4.4',
    question: 'Does the list of all streams show sessions too?',
    values: oneOf('streams', 'both'),
    default: 'streams',
    samples: ['both'],
    bounds: [],
  },
  'sessions.parent-filter': {
    clause: '4.4',
    question: 'Does parentId restrict the list of all sessions?',
    values: oneOfOrRefusal('works', 'ignored'),
    default: 'works',
    samples: ['ignored', refused],
    bounds: [],
  },
  'sessions.record-absent': recordFilterRow(
    'Which sessions of a stream are listed without record?',
    'all',
  ),
  'sessions.record-0': recordFilterRow(
    'Which sessions of a stream are listed with record=0?',
    'unrecorded',
  ),
  'sessions.record-true': recordFilterRow(
    'Which sessions of a stream are listed with record=true?',
    'recorded',
  ),
  'sessions.record-odd': recordFilterRow(
    'Which sessions of a stream are listed with record=maybe?',
    'all',
  ),
  'sessions.record-of-all': {
    clause: '4.4',
    question: 'Does record restrict the list of all sessions as it restricts those of a stream?',
    values: oneOfOrRefusal('works', 'ignored'),
    default: 'works',
    samples: ['ignored', refused],
    bounds: [],
  },
  'sessions.appear': {
    clause: '3',
    question: 'When does a session appear in lists?',
    values: oneOf('at-start', 'at-end', 'when-ready'),
    default: 'at-start',
    samples: ['at-end', 'when-ready'],
    bounds: ['LIST-17'],
  },
  'sessions.status-before-ready': {
    clause: '3',
    question: 'Which recordingStatus has a recorded session that is not ready?',
    note: 'null: the key is absent',
    values: statusSchema,
    default: 'waiting',
    samples: ['processing', null],
    bounds: ['LIST-18'],
  },
  'sessions.addresses-before-ready': {
    clause: '3',
    question: 'Has a recorded session that is not ready its addresses?',
    values: oneOf('absent', 'present'),
    default: 'absent',
    samples: ['present'],
    bounds: ['LIST-12'],
  },
  'sessions.status-unrecorded': {
    clause: '3',
    question: 'Which recordingStatus has a session that is not recorded?',
    note: 'null: the key is absent',
    values: statusSchema,
    default: null,
    samples: ['none'],
    bounds: ['LIST-3'],
  },
  'time.ready': {
    clause: '3',
    question: 'How many milliseconds after its end is a recording ready?',
    values: delaySchema,
    default: 1_000,
    samples: [0, 5_000],
    bounds: [],
  },
  'time.listed': {
    clause: '3',
    question:
      'How many milliseconds after the moment in sessions.appear does a list show a session?',
    values: delaySchema,
    default: 0,
    samples: [500],
    bounds: [],
  },
};
