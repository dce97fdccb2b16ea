import { Blocked } from '../../../../conformance/target/failure.ts';
import { get } from '../../../../conformance/target/operations.ts';
import { ladders } from '../../../../interface/limit-ladders.ts';
import type { ListBehaviours } from '../../../../interface/silent-lists.ts';
import { nextToldBy } from '../../../next-page.ts';
import { nobodysQuery } from '../../questions/inputs.ts';
import { Inexpressible, type ProbesFor, readWord } from '../../questions/probe.ts';
import { recordedList } from '../../questions/streams.ts';
import { upperLimit } from '../limits.ts';
import { sessionsAmongStreams } from './among-streams.ts';
import {
  choosingProbes,
  ignoredOrRefused,
  parentFilter,
  recordFilter,
  recordOfAll,
} from './filters.ts';
import { fullLastPage } from './full-last-page.ts';
import { anyList, firstPage, sessionList, streamList } from './known.ts';
import {
  impossibleCursor,
  limit,
  next,
  pageSize,
  sessionOrder,
  streamOrder,
  tryLimit,
} from './pages.ts';
import { timelineProbes } from './timeline.ts';

const nobodysFilter = `filters=${encodeURIComponent('[{"id":"id","value":"nobody"}]')}`;

/** Probes of lists. */
export const listProbes: ProbesFor<ListBehaviours> = {
  'list.page-size': pageSize(streamList),
  async 'sessions.page-size'(context) {
    const size = await pageSize(sessionList)(context);
    if (typeof size !== 'number') return size;
    const { response } = await firstPage(context, await context.ask(sessionList));
    // How a list tells of its next page is one row for all lists.
    const elsewhere = await context.ask(next).catch((error: unknown) => {
      if (error instanceof Blocked) return 'link';
      throw error;
    });
    if (nextToldBy(response) === 'link' && elsewhere === 'link') return size;
    throw new Inexpressible(
      `expected a Link header to the next page (LIST-17) after ${size} sessions, got none`,
    );
  },
  'list.limit': limit,
  'list.largest-limit': (context) =>
    upperLimit(
      { ladder: ladders.limit, expected: context.expected('list.largest-limit') },
      (value) => tryLimit(context, value),
    ),
  'list.impossible-limit': ignoredOrRefused('limit=0', anyList),
  'list.impossible-cursor': impossibleCursor,
  'list.next': next,
  'list.full-last-page': fullLastPage,
  'list.order': streamOrder,
  'sessions.order': sessionOrder,
  'list.unknown-query.listStreams': ignoredOrRefused(nobodysQuery, streamList),
  'list.unknown-query.listSessionsOfStream': async (context) =>
    readWord(
      await context.send(get(`${await context.ask(recordedList)}&${nobodysQuery}`)),
      'ignored',
    ),
  'list.unknown-query.listSessions': async ({ send }) =>
    readWord(await send(get(`/session?${nobodysQuery}`)), 'ignored'),
  ...choosingProbes('list.active', 'active=true', ''),
  ...choosingProbes('list.filters', nobodysFilter, ''),
  ...choosingProbes('list.order-by', 'order=createdAt-false', 'order=createdAt-true'),
  'list.sessions-among-streams': sessionsAmongStreams,
  'sessions.parent-filter': parentFilter,
  'sessions.record-absent': recordFilter(''),
  'sessions.record-0': recordFilter('?record=0'),
  'sessions.record-true': recordFilter('?record=true'),
  'sessions.record-odd': recordFilter('?record=maybe'),
  'sessions.record-of-all': recordOfAll,
  ...timelineProbes,
};
