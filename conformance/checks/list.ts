import { recommendedProfiles } from '../../interface/ladder.ts';
import type { StreamHistory } from '../sessions/history.ts';
import { isReady, readList, wayOn } from '../sessions/recorded-list.ts';
import { blockUnready, needsListedSession, ownSessions } from '../sessions/recording.ts';
import { expectEcho, expectField, fail, type JsonObject, show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import { recordedPath } from '../target/operations.ts';
import type { CheckContext } from './check-context.ts';
import type { Requirement } from './requirement.ts';
import { isProfiles, profileObjects } from './session-fields.ts';

const area = 'list';
const level = 'must';
const stated = { kind: 'stated' } as const;
const needsSession = ['session'] as const;
const needsEncoder = ['writes', 'encoder'] as const;

/** Listing the recorded sessions of a stream (interface 4.3). */
export const listRequirements: readonly Requirement[] = [
  {
    id: 'LIST-1',
    area,
    level,
    clause: '4.3',
    statement: 'Listing answers with status 200 and a JSON array; for a new stream it is empty.',
    basis: {
      kind: 'derived',
      because: 'The answer is stated; a stream that was never live has no session to be listed.',
    },
    needs: ['writes'],
    mutants: [
      'list-answers-404-when-empty',
      'list-answers-204-when-empty',
      'list-answers-null-when-empty',
      'list-wraps-array',
    ],
    async check(context) {
      const { id } = await context.createStream();
      const response = await context.call({ method: 'GET', path: recordedPath(id) });
      const sessions = readList(response);
      if (sessions.length === 0) return;
      if (await isForeign(context, sessions)) {
        throw new Blocked(
          "a list of one stream's sessions alone: it has those of others; see LIST-4",
        );
      }
      fail(`expected an empty array, got ${sessions.length} elements`, response);
    },
  },
  {
    id: 'LIST-3',
    area,
    level,
    clause: '4.3',
    statement: 'With record=1 the list has recorded sessions only.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['list-shows-unrecorded-sessions'],
    async check(context) {
      const { switched, bystander, earlier, turnedOff } = await context.history();
      for (const { own } of [switched, bystander, earlier, turnedOff]) {
        const [unrecorded] = own.filter(({ record }) => record === false);
        if (unrecorded !== undefined) {
          fail('expected recorded sessions alone, got one whose record is false', unrecorded);
        }
      }
    },
  },
  {
    id: 'LIST-4',
    area,
    level,
    clause: '4.3',
    statement: 'The list has no sessions of other streams.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['list-shows-every-session'],
    async check(context) {
      const { switched, other } = await context.history();
      const others = new Set(other.listed.map(({ id }) => id));
      const [mixed] = switched.listed.filter(({ id }) => others.has(id));
      if (mixed !== undefined) {
        fail(
          `expected streams ${switched.stream.id} and ${other.stream.id} to list no session in common, got ${show(mixed['id'])}`,
          other.listed,
          switched.listed,
        );
      }
    },
  },
  {
    id: 'LIST-5',
    area,
    level,
    clause: '2.3',
    statement: 'Sessions have different ids, and keep them.',
    basis: { kind: 'derived', because: 'id is the identifier of the session.' },
    needs: needsSession,
    mutants: ['list-renames-sessions', 'list-repeats-sessions', 'start-makes-ids-from-clock'],
    async check(context) {
      const { streamId, listed } = await context.recording('any');
      await expectDifferentIds(listed);
      await expectDifferentIds(await sessionsBegunAtOnce(context));
      const later = await context.listRecorded(streamId);
      const known = new Set(later.map(({ id }) => id));
      const lost = listed.filter(({ id }) => !known.has(id));
      // A list that has become shorter has lost sessions, whatever their ids are.
      if (lost.length > 0 && later.length < listed.length) {
        throw new Blocked('sessions that stay in the list; see RECORD-7 and LIST-17');
      }
      if (lost.length > 0) {
        fail(
          `expected the same ids in the next list, got none of ${show(lost.map(({ id }) => id))}`,
          later,
          listed,
        );
      }
    },
  },
  {
    id: 'LIST-11',
    area,
    level,
    clause: '1, 4.1',
    statement: 'A session has the profiles of its parent stream.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['list-drops-inherited-profiles', 'list-invents-profiles'],
    async check(context) {
      const { switched, other } = await context.history();
      expectInherited(switched, recommendedProfiles);
      expectInherited(other, []);
    },
  },
  {
    id: 'LIST-16',
    area,
    level,
    clause: '4.3',
    statement: 'Listing a stream that has a recorded session answers with 200 and a JSON array.',
    basis: stated,
    needs: needsSession,
    mutants: ['list-fails-when-not-empty', 'list-wraps-array-when-not-empty'],
    async check(context) {
      if (readList(await context.firstList()).length === 0) throw needsListedSession();
    },
  },
  {
    id: 'LIST-17',
    area,
    level,
    clause: '4.3',
    statement: 'The list has every recorded session of its stream.',
    basis: {
      kind: 'derived',
      because: 'record=1 restricts the list to the recorded sessions, and to nothing less.',
    },
    needs: needsEncoder,
    mutants: ['list-shows-newest-only', 'list-shows-oldest-only', 'list-shows-two-at-most'],
    async check(context) {
      const { made, listed } = await context.severalSessions();
      if (listed.length === 0) throw needsListedSession();
      const ids = new Set(listed.map(({ id }) => id));
      if (ids.size >= made) {
        if (listed.every(isReady)) return;
        blockUnready(listed);
      }
      const way = wayOn(listed);
      if (way !== undefined) {
        throw new Blocked(
          `a list that the suite can read to its end: it follows a Link with rel=next alone, and the answer says ${show(way)}`,
        );
      }
      fail(
        `expected all ${made} recorded sessions of the stream in its list, got ${ids.size}; each session began after the one before it was ready`,
        listed,
      );
    },
  },
];

/** Whether sessions that a stream lists are listed by another one as well. */
async function isForeign(context: CheckContext, sessions: readonly JsonObject[]): Promise<boolean> {
  const { id } = await context.createStream();
  const others = new Set((await context.listRecorded(id)).map((session) => session['id']));
  return sessions.every((session) => others.has(session['id']));
}

/** What a session shows is compared with what its stream showed when it was created. */
function expectInherited(historyOf: StreamHistory, submitted: readonly object[]): void {
  const { shown } = historyOf.stream;
  for (const session of ownSessions(historyOf)) {
    if (submitted.length > 0) expectField(session, 'profiles', profileObjects, isProfiles);
    const expected = shown['profiles'] ?? submitted;
    expectEcho(session['profiles'] ?? [], expected, 'profiles', session, shown);
  }
}

function expectDifferentIds(sessions: readonly JsonObject[]): void {
  const seen = new Map<unknown, JsonObject>();
  for (const session of sessions) {
    const earlier = seen.get(session['id']);
    if (earlier)
      fail(`expected ids that differ, got ${show(session['id'])} again`, session, earlier);
    seen.set(session['id'], session);
  }
}

/** As the provider showed them; none where what it shows is not what the list has. */
async function sessionsBegunAtOnce(context: CheckContext): Promise<readonly JsonObject[]> {
  try {
    const { switched, earlier, turnedOff, bystander } = await context.history();
    const ids = switched.listed.map(({ id }) => id);
    if (!ids.includes(switched.begun?.['id'])) return [];
    const pasts = [switched, earlier, turnedOff, bystander];
    return pasts.flatMap(({ begun }) => (begun ? [begun] : []));
  } catch (error) {
    if (error instanceof Blocked) return [];
    throw error;
  }
}
