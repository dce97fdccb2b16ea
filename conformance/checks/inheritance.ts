import type { TargetResponse } from '../../target/requests/exchange.ts';
import { expectAllRefused } from '../../target/requests/expectations.ts';
import { Blocked, fail } from '../../target/requests/failure.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { expectListed, pickReady } from '../../target/streams/recorded-list.ts';
import { patchRecord, statedOperations } from '../../target/streams/stream-requests.ts';
import { show } from '../../text/phrases.ts';
import type { LiveSwitches } from '../sessions/shared-sessions.ts';
import type { CheckContext } from './check-context.ts';
import { requirementsOf } from './requirement.ts';
import { expectUnchanged } from './unchanged.ts';

/** What switching recording means for future and existing sessions (interface 4.2, rules). */
export const inheritanceRequirements = requirementsOf('inheritance', ['writes', 'encoder'], {
  'RECORD-5': {
    clause: '4.2 rule 4',
    statement: 'A session that begins after recording was turned on is recorded.',
    async check({ history }) {
      const { switched, beforeOn } = await history();
      const { begunSession, sessions } = switched;
      if (sessions.length > beforeOn.length) return;
      if (begunSession?.['record'] === false) {
        fail(
          `record: expected true in a session that began after ${statedOperations.record} with true, got false`,
          begunSession,
          switched.switch,
          sessions,
        );
      }
      throw new Blocked(
        'needs a recorded session: none was listed in time; if the target needs longer, raise --patience',
      );
    },
  },
  'RECORD-6': {
    clause: '4.2 rule 4',
    statement: 'A session that begins after recording was turned off is not recorded.',
    async check(context) {
      for (const which of ['turnedOff', 'turnedOffLater'] as const) {
        await expectNoneRecorded(context, which, 'live after its recording was turned off');
      }
    },
  },
  'RECORD-7': {
    clause: '4.2 rule 5',
    statement: 'Turning recording off leaves recorded sessions recorded, including a live one.',
    async check(context) {
      const { switched, afterOff } = await context.history();
      expectListed(switched.sessions);
      expectStillRecorded(switched.sessions, afterOff);
      const live = await findLiveSwitches(context);
      if (!live || live.unswitched.length === 0) return;
      expectStillRecorded(live.off.before, live.off.after, live.off.response);
    },
  },
  'RECORD-8': {
    clause: '4.2 rule 5',
    statement: 'Turning recording on leaves earlier sessions unrecorded, including a live one.',
    async check(context) {
      const description = 'live before its recording was turned on';
      await expectNoneRecorded(context, 'turnedOnLater', description);
      const { on } = (await findLiveSwitches(context)) ?? {};
      if (on?.before.length === 0) expectUnrecorded(description, on.after, on.response);
    },
  },
  'RECORD-9': {
    clause: '4.2',
    statement: 'Switching recording of one stream does not affect other streams.',
    because: 'The operation names the one stream that it modifies.',
    async check(context) {
      const description = 'whose recording was never turned on';
      await expectNoneRecorded(context, 'neverTurnedOn', description);
      const { id } = await context.createStream();
      await expectUnchanged(context, await context.createStream(), (opposite) =>
        [!opposite, opposite].map((record) => patchRecord(id, { record })),
      );
    },
  },
  'RECORD-10': {
    clause: '2.3, 4.2 rules 1 to 3',
    statement: "Changing the record value of a session, by the session's id, is refused.",
    async check({ call, expectEncoder, owns, recording }) {
      expectEncoder();
      const { session } = await recording('any');
      expectOwn(owns, session);
      const requests = [false, true].map((record) => patchRecord(session['id'], { record }));
      const subjects = [false, true].map((record) => `a session's id with ${record}`);
      await expectAllRefused(call, requests, subjects);
    },
  },
  'RECORD-11': {
    clause: '2.3, 4.2 rules 2 and 3',
    statement: 'A request to change the record value of a session changes nothing.',
    async check({ call, history, retrieve, listRecorded, owns }) {
      // Not the session of RECORD-10, whose requests may have changed it already.
      const { stream, sessions } = (await history()).plain;
      const session = pickReady(sessions);
      expectOwn(owns, session);
      const look = async () => ({
        stream: await retrieve(stream.id),
        session: (await listRecorded(stream.id)).find(({ id }) => id === session['id']),
      });
      const before = await look();
      if (before.session === undefined) {
        throw new Blocked('needs a session that stays in the list; see LIST-5 and RECORD-7');
      }
      for (const record of [true, false]) {
        const response = await call(patchRecord(session['id'], { record }));
        const after = await look();
        for (const which of ['stream', 'session'] as const) {
          const expected = before[which]?.['record'];
          const got = after[which]?.['record'];
          if (before[which] === undefined || got === expected) continue;
          fail(
            `record of the ${which}: expected ${expected} as before, got ${show(got)}`,
            response,
          );
        }
      }
    },
  },
  'RECORD-18': {
    clause: '4.2 rule 4',
    statement: 'A session that begins after recording was turned on again is recorded.',
    async check({ history }) {
      const { switched, onAgain } = await history();
      expectListed(switched.sessions);
      const { recorded, sessions, begunSession } = onAgain;
      if (recorded) return;
      if (begunSession?.['record'] === true)
        throw new Blocked('needs a list of all sessions; see LIST-17');
      fail(
        'expected a second recorded session, begun after recording was turned off and on again, got none in the list',
        onAgain.switch,
        begunSession,
        sessions,
      );
    },
  },
});

/** Expects sessions to be in a later list with the same record value. */
function expectStillRecorded(
  sessions: readonly JsonObject[],
  after: readonly JsonObject[],
  ...evidence: TargetResponse[]
): void {
  for (const session of sessions) {
    const later = after.find(({ id }) => id === session['id']);
    if (later?.['record'] === session['record']) continue;
    fail(
      `record of a recorded session: expected ${show(session['record'])} as before recording was turned off, got ${later ? show(later['record']) : 'no such session in the list'}`,
      later ?? after,
      session,
      ...evidence,
    );
  }
}

/** Only some providers can end a session at any time, so the target is not to blame if none can. */
async function findLiveSwitches(context: CheckContext): Promise<LiveSwitches | undefined> {
  try {
    return await context.liveSwitches();
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    context.addObservation(`not tried while live: ${error.message}`);
    return undefined;
  }
}

/** Expects a session of one of the suite's own streams. @throws Blocked unless the target showed that it is one. */
function expectOwn(owns: CheckContext['owns'], session: JsonObject): void {
  if (owns(session['id'])) return;
  throw new Blocked("needs a session with its own stream's id as parentId; see LIST-2");
}

/** Expects that a stream that was live while its recording was off lists no recorded session. */
async function expectNoneRecorded(
  context: CheckContext,
  which: 'turnedOff' | 'turnedOffLater' | 'turnedOnLater' | 'neverTurnedOn',
  description: string,
): Promise<void> {
  const history = await context.history();
  expectListed(history.switched.sessions);
  const { sessions, switch: lastSwitch } = history[which];
  expectUnrecorded(description, sessions, lastSwitch);
}

/** LIST-3 judges sessions that are listed as not recorded. */
function expectUnrecorded(
  description: string,
  sessions: readonly JsonObject[],
  lastSwitch: TargetResponse | undefined,
): void {
  const recorded = sessions.find(({ record }) => record !== false);
  if (recorded === undefined) return;
  fail(
    `expected no recorded session of a stream ${description}, got ${show(recorded['id'])}`,
    recorded,
    lastSwitch,
  );
}
