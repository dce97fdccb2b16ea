import type { StreamHistory } from '../sessions/history.ts';
import { findLater, needsListedSession, ownSessions } from '../sessions/recording.ts';
import { expectRefusal, fail, type JsonObject, show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import { operations, recordCall } from '../target/operations.ts';
import type { CheckContext } from './check-context.ts';
import type { Requirement } from './requirement.ts';
import { expectUnchanged } from './unchanged.ts';

const area = 'inheritance';
const level = 'must';
const stated = { kind: 'stated' } as const;
const needsEncoder = ['writes', 'encoder'] as const;

/** What switching recording means for sessions, those to come and those that exist (4.2, rules). */
export const inheritanceRequirements: readonly Requirement[] = [
  {
    id: 'RECORD-5',
    area,
    level,
    clause: '4.2 rule 4',
    statement: 'A session that begins after recording was turned on is recorded.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-ignores-on'],
    async check(context) {
      const { switched, beforeOn } = await context.history();
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
    id: 'RECORD-6',
    area,
    level,
    clause: '4.2 rule 4',
    statement: 'A session that begins after recording was turned off is not recorded.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-ignores-off'],
    check: (context) =>
      expectNoneRecorded(context, 'turnedOff', 'live after its recording was turned off'),
  },
  {
    id: 'RECORD-7',
    area,
    level,
    clause: '4.2 rule 5',
    statement: 'Turning recording off leaves recorded sessions recorded.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-off-unrecords-sessions'],
    async check(context) {
      const { switched, afterOff } = await context.history();
      for (const session of ownSessions(switched)) {
        const later = findLater(session, switched.listed, afterOff);
        if (later?.['record'] !== session['record']) {
          fail(
            `record of a recorded session: expected ${show(session['record'])} as before recording was turned off, got ${later ? show(later['record']) : 'no such session in the list'}`,
            later ?? afterOff,
            session,
          );
        }
      }
    },
  },
  {
    id: 'RECORD-8',
    area,
    level,
    clause: '4.2 rule 5',
    statement: 'Turning recording on does not make recorded sessions of earlier ones.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-on-records-earlier-sessions'],
    check: (context) =>
      expectNoneRecorded(context, 'earlier', 'live before its recording was turned on'),
  },
  {
    id: 'RECORD-9',
    area,
    level,
    clause: '4.2',
    statement: 'Switching recording of one stream leaves other streams alone.',
    basis: { kind: 'derived', because: 'The operation names the one stream that it modifies.' },
    needs: needsEncoder,
    mutants: ['record-switches-every-stream', 'record-off-switches-every-stream'],
    async check(context) {
      await expectNoneRecorded(context, 'bystander', 'whose recording was never turned on');
      const { id } = await context.createStream();
      await expectUnchanged(context, await context.createStream(), {
        toAnother: true,
        calls: (opposite) => [!opposite, opposite].map((record) => recordCall(id, { record })),
      });
    },
  },
  {
    id: 'RECORD-10',
    area,
    level,
    clause: '2.3, 4.2 rules 1 to 3',
    statement: "Changing the record value of a session, by the session's id, is refused.",
    basis: stated,
    needs: ['writes', 'session'],
    mutants: ['record-accepts-session'],
    async check(context) {
      const { session } = await context.recording('any');
      for (const record of [false, true]) {
        expectRefusal(await context.call(recordCall(session['id'], { record })), "a session's id");
      }
    },
  },
  {
    id: 'RECORD-11',
    area,
    level,
    clause: '2.3, 4.2 rules 2 and 3',
    statement: 'A request to change the record value of a session changes nothing.',
    basis: stated,
    needs: ['writes', 'session'],
    mutants: ['record-changes-session-silently', 'record-changes-parent-of-session'],
    async check(context) {
      const { streamId, session } = await context.recording('any');
      const parent = await context.retrieve(streamId);
      const before = await context.listRecorded(streamId);
      const listed = before.find(({ id }) => id === session['id']);
      if (listed === undefined) {
        throw new Blocked('a session that stays in the list; see LIST-5 and RECORD-7');
      }
      for (const record of [true, false]) {
        const response = await context.call(recordCall(session['id'], { record }));
        const shown = await context.retrieve(streamId);
        if (parent && shown && shown['record'] !== parent['record']) {
          fail(
            `record of the stream: expected ${show(parent['record'])} as before, got ${show(shown['record'])}`,
            response,
            shown,
          );
        }
        const after = await context.listRecorded(streamId);
        const later = findLater(listed, before, after);
        if (later?.['record'] !== listed['record']) {
          fail(
            `record of the session: expected ${show(listed['record'])} as before, got ${later ? show(later['record']) : 'no such session in the list'}`,
            response,
            later ?? after,
          );
        }
      }
    },
  },
];

/**
 * Expects that a stream, live while its recording was off, lists no recorded session of its own. One
 * that is shown as not recorded is the list's fault (LIST-3), and so is one of another stream (LIST-4).
 */
async function expectNoneRecorded(
  context: CheckContext,
  which: 'turnedOff' | 'earlier' | 'bystander',
  what: string,
): Promise<void> {
  const history = await context.history();
  if (history.switched.listed.length === 0) throw needsListedSession();
  const recordedOf = ({ own }: StreamHistory): JsonObject | undefined =>
    own.find(({ record }) => record !== false);
  const { own, switch: lastSwitch } = history[which];
  const recorded = recordedOf(history[which]);
  if (recorded !== undefined) {
    if (which !== 'bystander' && recordedOf(history.bystander)) {
      throw new Blocked('a stream that is switched by itself alone; see RECORD-9');
    }
    fail(
      `expected no recorded session of a stream ${what}, got ${show(own.map(({ id }) => id))}`,
      recorded,
      ...(lastSwitch ? [lastSwitch] : []),
    );
  }
}
