import { setTimeout as sleep } from 'node:timers/promises';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { expectRefusal } from '../../target/requests/expectations.ts';
import { Blocked, expectOfEach, fail } from '../../target/requests/failure.ts';
import { isSuccess, type JsonObject } from '../../target/requests/read-response.ts';
import { expectListed, isReady, pickReady } from '../../target/streams/recorded-list.ts';
import { patchRecord, statedOperations } from '../../target/streams/stream-requests.ts';
import { show } from '../../text/phrases.ts';
import type { History, LiveSwitches } from '../sessions/shared-sessions.ts';
import type { CheckContext } from './check-context.ts';
import { requirementsOf } from './requirement.ts';
import { expectNextSession, expectUnchanged, showsRecord } from './unchanged.ts';

/** What switching recording means for future and existing sessions (interface 4.2, rules). */
export const inheritanceRequirements = requirementsOf('inheritance', ['writes', 'encoder'], {
  'RECORD-5': {
    clause: '4.2 rule 4',
    statement:
      'A session that begins after recording was turned on is recorded, even if an earlier session was live then.',
    async check(context) {
      const { switched, beforeOn } = await context.history();
      const { begunSession, sessions } = switched;
      if (sessions.length > beforeOn.length) return expectHeldAfterLive(context, 'on');
      if (begunSession?.['record'] === false) {
        fail(
          `record: expected true in a session that began after ${statedOperations.record} with true, got false`,
          begunSession,
          switched.switch,
          sessions,
        );
      }
      await expectNoneRecordedLater(context, switched);
      throw new Blocked(
        'needs a recorded session: none was listed in time; if the target needs longer, raise --patience',
      );
    },
  },
  'RECORD-6': {
    clause: '4.2 rule 4',
    statement:
      'A session that begins after recording was turned off is not recorded, even if an earlier session was live then.',
    async check(context) {
      await expectOfEach(['turnedOff', 'turnedOffLater'] as const, (which) =>
        expectNoneRecorded(context, which, 'live after its recording was turned off'),
      );
      await expectHeldAfterLive(context, 'off');
    },
  },
  'RECORD-7': {
    clause: '4.2 rule 5',
    statement:
      'Turning recording off leaves recorded sessions recorded, including a live one and one that has just ended.',
    async check(context) {
      const { switched, afterOff, plain, turnedOffAtOnce } = await context.history();
      expectListed(switched.sessions);
      const live = await findLiveSwitches(context);
      const switchedLive = live && live.unswitched.length > 0 ? [live.off] : [];
      const existing = [
        { before: switched.sessions, after: afterOff, response: undefined },
        ...switchedLive,
      ];
      await expectOfEach(
        [
          ...existing.map(
            ({ before, after, response }) =>
              () =>
                expectStillRecorded(before, after, response),
          ),
          () => expectRecordedAtEnd(plain.sessions, turnedOffAtOnce),
        ],
        (judge) => judge(),
      );
    },
  },
  'RECORD-8': {
    clause: '4.2 rule 5',
    statement: 'Turning recording on leaves earlier sessions unrecorded, including a live one.',
    async check(context) {
      const description = 'live before its recording was turned on';
      await expectNoneRecorded(context, 'turnedOnLater', description);
      const { on } = (await findLiveSwitches(context)) ?? {};
      if (on?.before.length === 0) await expectUnrecorded(description, on.after, on.response);
    },
  },
  'RECORD-9': {
    clause: '4.2',
    statement: 'Switching recording of one stream does not affect other streams.',
    because: 'The operation names the one stream that it modifies.',
    async check(context) {
      const description = 'whose recording was never turned on';
      await expectNoneRecorded(context, 'neverTurnedOn', description);
      const other = await context.createStream();
      // A target that switches by the name would switch both.
      await expectUnchanged(context, await context.createNamesake(other), (opposite) =>
        [!opposite, opposite].map((record) => patchRecord(other.id, { record })),
      );
    },
  },
  'RECORD-10': {
    clause: '2.3, 4.2 rules 1 to 3',
    statement: "Changing the record value of a session, by the session's id, is refused.",
    async check(context) {
      const { switches, unrecorded } = await context.sessionSwitches();
      const expectAllRefused = (asked: readonly SessionSwitch[]) =>
        expectOfEach(asked, ({ kind, record, response }) =>
          expectRefusal(response, `record ${record} for the id of ${kind}`),
        );
      await expectAllRefused(switches);
      const { sessionSwitches = [] } = (await findLiveSwitches(context)) ?? {};
      await expectAllRefused([...sessionSwitches, ...unrecorded]);
    },
  },
  'RECORD-11': {
    clause: '2.3, 4.2 rules 2 and 3',
    statement: 'A request to change the record value of a session changes nothing.',
    async check(context) {
      const { stream, switches, unrecorded } = await context.sessionSwitches();
      await expectOfEach(switches, expectSessionKept);
      const { sessionSwitches = [] } = (await findLiveSwitches(context)) ?? {};
      await expectOfEach([...sessionSwitches, ...unrecorded], expectSessionKept);
      // The interface leaves retrieval open: it is trusted if it shows what was set.
      const isShown = switches.every(({ record, before }) => before.stream?.['record'] === !record);
      if (!isShown) {
        const responses = switches.map(({ response }) => response);
        return expectNextSession(context, stream, true, responses);
      }
      await expectOfEach(switches, expectStreamKept);
      await expectOfEach([...sessionSwitches, ...unrecorded], (asked) => {
        if (asked.before.stream?.['record'] === !asked.record) expectStreamKept(asked);
      });
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
  'RECORD-27': {
    level: 'should',
    clause: '4.2 rules 4 and 5, 3',
    statement:
      'A recording becomes available even if recording is turned off once the session has ended.',
    because:
      'The new value is inherited by future sessions, but the interface does not say that every recording becomes available.',
    async check({ history }) {
      const { plain, turnedOffAtOnce } = await history();
      pickReady(plain.sessions);
      const { sessions } = turnedOffAtOnce;
      if (sessions.length === 0) {
        throw new Blocked(
          'needs a session that stays recorded when recording is turned off; see RECORD-7',
        );
      }
      if (sessions.some(isReady)) return;
      const statuses = new Set(sessions.map((session) => show(session['recordingStatus'])));
      fail(
        `recordingStatus: expected "ready", as in a session that ended at the same time and whose stream was not turned off, got ${[...statuses].join(', ')}`,
        turnedOffAtOnce.switch,
        sessions,
        plain.sessions,
      );
    },
  },
  'RECORD-28': {
    clause: '2.1, 4.1',
    statement:
      'A session is recorded if its stream showed a record of true when it was created, and was not switched.',
    because:
      'record says whether sessions of the stream are recorded, and all of them inherit its configuration.',
    async check({ history, severalSessions, addObservation }) {
      const { switched } = await history();
      const { stream, firstSessions } = await severalSessions();
      if (stream.fields['record'] !== true) {
        return addObservation('RECORD-28 found no stream whose record is true when it is created');
      }
      expectListed(switched.sessions);
      if (firstSessions.length > 0) return;
      fail(
        'expected the first session of a stream that showed a record of true when it was created to be recorded, got none in the list',
        stream.fields,
        firstSessions,
      );
    },
  },
});

/**
 * A target may answer 204 before it has done what it says. Then a session that begins at once is not recorded, but one
 * that begins a second later is.
 */
async function expectNoneRecordedLater(
  context: CheckContext,
  { stream, sessions, switch: on }: History['switched'],
): Promise<void> {
  // Like the other stream, as transcoding may take longer than the run waits.
  const input = { name: 'check', profiles: recommendedProfiles };
  const laterStream = await context.createStream(input);
  await context.setRecord(laterStream.id, true);
  await sleep(1_100);
  const later = await context.recordNextSessionPatiently(laterStream);
  if (!later.recorded) return;
  // It has had longer than the other one to appear, and gets as long again.
  if ((await context.listUntilAny(stream.id)).length > 0) return;
  fail(
    `expected a session that began at once after ${statedOperations.record} with true to be recorded, got none in the list, but one that began a second after it, of another stream`,
    on,
    sessions,
    later.sessions,
  );
}

type SessionSwitch = Awaited<ReturnType<CheckContext['sessionSwitches']>>['switches'][number];

/** Expects that a request to switch a session by its id did not change it. One that is not recorded is not listed. */
function expectSessionKept(asked: SessionSwitch): void {
  const { before, after } = asked;
  if (before.session === undefined) {
    if ((after.session?.['record'] ?? false) === false) return;
    failSwitched('session', asked, false, after.session);
  }
  const expected = before.session['record'];
  if (after.session?.['record'] === expected) return;
  failSwitched('session', asked, expected, after.session);
}

/** Expects that a request to switch a session by its id did not change its stream. */
function expectStreamKept(asked: SessionSwitch): void {
  const { record, after } = asked;
  if (after.stream?.['record'] === !record) return;
  failSwitched('stream', asked, !record, after.stream);
}

/** Fails as a request to switch a session has changed it or its stream. */
function failSwitched(
  which: 'session' | 'stream',
  { kind, record, response }: SessionSwitch,
  expected: unknown,
  after: JsonObject | undefined,
): never {
  const got = after === undefined ? `no ${which} any more` : show(after['record']);
  fail(
    `record ${record} for the id of ${kind}: expected record of the ${which} to stay ${show(expected)}, got ${got}`,
    response,
  );
}

/** Expects sessions to be in a later list with the same record value. */
async function expectStillRecorded(
  sessions: readonly JsonObject[],
  after: readonly JsonObject[],
  lastSwitch: TargetResponse | undefined,
): Promise<void> {
  await expectOfEach(sessions, (session) => {
    const later = after.find(({ id }) => id === session['id']);
    if (later?.['record'] === session['record']) return;
    fail(
      `record of a recorded session: expected ${show(session['record'])} as before recording was turned off, got ${later ? show(later['record']) : 'no such session in the list'}`,
      later ?? after,
      session,
      lastSwitch,
    );
  });
}

/**
 * Expects a session to be recorded although its stream was turned off when it had ended.
 * @param others sessions of another stream, one of which ended at the same time
 */
function expectRecordedAtEnd(
  others: readonly JsonObject[],
  { sessions, switch: lastSwitch }: History['turnedOffAtOnce'],
): void {
  // A missing session proves nothing if the target has not made a recording in that time.
  if (!others.some(isReady) || sessions.some((session) => session['record'] !== false)) return;
  fail(
    'expected a session to stay recorded when recording is turned off after it has ended, got none in the list',
    lastSwitch,
    sessions,
  );
}

/** Expects that a switch that was accepted while its stream was live holds once that session has ended. */
async function expectHeldAfterLive(context: CheckContext, which: 'on' | 'off'): Promise<void> {
  const { stream, response } = (await findLiveSwitches(context))?.[which] ?? {};
  // The interface does not say whether a switch is accepted while live.
  if (stream === undefined || response === undefined || !isSuccess(response)) return;
  const expected = which === 'on';
  const why = `as its recording was turned ${which} while an earlier session was live`;
  const isShown = await showsRecord(context, (await context.createStream()).id);
  const after = isShown ? await context.retrieve(stream.id) : undefined;
  if (after === undefined) {
    return expectNextSession(context, stream, expected, [response], why);
  }
  if (after['record'] === expected) return;
  fail(
    `record of the stream: expected ${expected}, ${why}, got ${show(after['record'])}`,
    response,
    after,
  );
}

/** Only some providers can end a session at any time, so the target is not to blame if none can. */
async function findLiveSwitches(context: CheckContext): Promise<LiveSwitches | undefined> {
  try {
    return await context.liveSwitches();
  } catch (exception) {
    if (!(exception instanceof Blocked)) throw exception;
    context.addObservation(`not tried while live: ${exception.message}`);
    return undefined;
  }
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
  await expectUnrecorded(description, sessions, lastSwitch);
}

/** LIST-3 judges sessions that are listed as not recorded. */
async function expectUnrecorded(
  description: string,
  sessions: readonly JsonObject[],
  lastSwitch: TargetResponse | undefined,
): Promise<void> {
  await expectOfEach(sessions, (session) => {
    if (session['record'] === false) return;
    fail(
      `${show(session['id'])}: expected no recorded session of a stream ${description}, got this one`,
      session,
      lastSwitch,
    );
  });
}
