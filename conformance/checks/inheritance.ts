import type { StreamHistory } from '../sessions/history.ts';
import { findLater, needsListedSession, ownSessions } from '../sessions/recording.ts';
import { expectRefusal, fail, type JsonObject, show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import { operations, patch, recordPath } from '../target/operations.ts';
import type { CheckContext } from './check-context.ts';
import { derived, type Requirement, stated } from './requirement.ts';
import { expectUnchanged } from './unchanged.ts';

const common = { area: 'inheritance', level: 'must' } as const;
const needsEncoder = ['writes', 'encoder'] as const;

/** What switching recording means for future and existing sessions (interface 4.2, rules). */
export const inheritanceRequirements: readonly Requirement[] = [
  {
    ...common,
    id: 'RECORD-5',
    clause: '4.2 rule 4',
    statement: 'A session that begins after recording was turned on is recorded.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-ignores-on'],
    async check({ history }) {
      const { switched, beforeOn } = await history();
      const { begun, listed } = switched;
      if (listed.length > beforeOn.length) return;
      if (begun?.['record'] === false) {
        fail(
          `record: expected true in a session that began after ${operations.record} with true, got false`,
          begun,
          ...(switched.switch ? [switched.switch] : []),
          listed,
        );
      }
      throw new Blocked(
        'a recorded session: none was listed in time; if the target needs longer, raise --patience',
      );
    },
  },
  {
    ...common,
    id: 'RECORD-6',
    clause: '4.2 rule 4',
    statement: 'A session that begins after recording was turned off is not recorded.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-ignores-off'],
    check: (context) =>
      expectNoneRecorded(context, 'turnedOff', 'live after its recording was turned off'),
  },
  {
    ...common,
    id: 'RECORD-7',
    clause: '4.2 rule 5',
    statement: 'Turning recording off leaves recorded sessions recorded.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-off-unrecords-sessions'],
    async check({ history }) {
      const { switched, afterOff } = await history();
      for (const session of ownSessions(switched)) {
        const later = findLater(session, switched.listed, afterOff);
        if (later?.['record'] !== session['record']) {
          fail(
            `record of a recorded session: expected ${show(session['record'])} as before recording was turned off, got ${showRecord(later)}`,
            later ?? afterOff,
            session,
          );
        }
      }
    },
  },
  {
    ...common,
    id: 'RECORD-8',
    clause: '4.2 rule 5',
    statement: 'Turning recording on leaves earlier sessions unrecorded.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-on-records-earlier-sessions'],
    check: (context) =>
      expectNoneRecorded(context, 'turnedOnLater', 'live before its recording was turned on'),
  },
  {
    ...common,
    id: 'RECORD-9',
    clause: '4.2',
    statement: 'Switching recording of one stream leaves other streams alone.',
    basis: derived('The operation names the one stream that it modifies.'),
    needs: needsEncoder,
    mutants: ['record-switches-every-stream', 'record-off-switches-every-stream'],
    async check(context) {
      const what = 'whose recording was never turned on';
      await expectNoneRecorded(context, 'neverTurnedOn', what);
      const { id } = await context.createStream();
      await expectUnchanged(context, await context.createStream(), {
        toAnother: true,
        calls: (opposite) =>
          [!opposite, opposite].map((record) => patch(recordPath(id), { record })),
      });
    },
  },
  {
    ...common,
    id: 'RECORD-10',
    clause: '2.3, 4.2 rules 1 to 3',
    statement: "Changing the record value of a session, by the session's id, is refused.",
    basis: stated,
    needs: ['writes', 'session'],
    mutants: ['record-accepts-session'],
    async check({ call, recording }) {
      const { session } = await recording('any');
      for (const record of [false, true]) {
        const response = await call(patch(recordPath(session['id']), { record }));
        expectRefusal(response, "a session's id");
      }
    },
  },
  {
    ...common,
    id: 'RECORD-11',
    clause: '2.3, 4.2 rules 2 and 3',
    statement: 'A request to change the record value of a session changes nothing.',
    basis: stated,
    needs: ['writes', 'session'],
    mutants: ['record-changes-session-silently', 'record-changes-parent-of-session'],
    async check({ call, recording, retrieve, listRecorded }) {
      const { streamId, session } = await recording('any');
      const parent = await retrieve(streamId);
      const before = await listRecorded(streamId);
      const listed = before.find(({ id }) => id === session['id']);
      if (listed === undefined) {
        throw new Blocked('a session that stays in the list; see LIST-5 and RECORD-7');
      }
      for (const record of [true, false]) {
        const response = await call(patch(recordPath(session['id']), { record }));
        const shown = await retrieve(streamId);
        if (parent && shown && shown['record'] !== parent['record']) {
          fail(
            `record of the stream: expected ${show(parent['record'])} as before, got ${show(shown['record'])}`,
            response,
            shown,
          );
        }
        const after = await listRecorded(streamId);
        const later = findLater(listed, before, after);
        if (later?.['record'] !== listed['record']) {
          fail(
            `record of the session: expected ${show(listed['record'])} as before, got ${showRecord(later)}`,
            response,
            later ?? after,
          );
        }
      }
    },
  },
];

function showRecord(session: JsonObject | undefined): string {
  return session ? show(session['record']) : 'no such session in the list';
}

/**
 * Expects that a stream, live while its recording was off, lists no recorded session of its own.
 * LIST-3 judges sessions that are listed as not recorded, LIST-4 those of other streams.
 */
async function expectNoneRecorded(
  context: CheckContext,
  which: 'turnedOff' | 'turnedOnLater' | 'neverTurnedOn',
  what: string,
): Promise<void> {
  const history = await context.history();
  if (history.switched.listed.length === 0) throw needsListedSession();
  const recordedOf = ({ own }: StreamHistory): JsonObject | undefined =>
    own.find(({ record }) => record !== false);
  const { own, switch: lastSwitch } = history[which];
  const recorded = recordedOf(history[which]);
  if (recorded === undefined) return;
  if (which !== 'neverTurnedOn' && recordedOf(history.neverTurnedOn)) {
    throw new Blocked('a stream that only its own requests switch; see RECORD-9');
  }
  fail(
    `expected no recorded session of a stream ${what}, got ${show(own.map(({ id }) => id))}`,
    recorded,
    ...(lastSwitch ? [lastSwitch] : []),
  );
}
