import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import {
  blockUnready,
  expectListed,
  expectReadable,
  isIn,
  isReady,
  readList,
  unfollowedPaging,
} from '../sessions/recorded-list.ts';
import { expectEcho, expectField, fail, type JsonObject, show } from '../target/expectations.ts';
import { Blocked, unlessPrevented } from '../target/failure.ts';
import { type CreatedStream, get, recordedSessionsPath } from '../target/operations.ts';
import type { CheckContext } from './check-context.ts';
import { requirementsOf } from './requirement.ts';
import { documentedProfiles, isProfiles, profileObjects } from './session-fields.ts';

const needsEncoder = ['writes', 'encoder'] as const;

/** Listing the recorded sessions of a stream (interface 4.3). */
export const listRequirements = requirementsOf({ area: 'list', needs: ['session'] }, [
  {
    id: 'LIST-1',
    clause: '4.3',
    statement: 'Listing answers with status 200 and a JSON array; for a new stream it is empty.',
    because: 'The response is stated; a stream that was never live has no sessions.',
    needs: ['writes'],
    mutants: [
      'list-answers-404-when-empty',
      'list-answers-204-when-empty',
      'list-answers-null-when-empty',
      'list-wraps-array',
    ],
    async check(context) {
      const { id } = await context.createStream();
      expectEmpty(readList(await context.call(get(recordedSessionsPath(id)))));
    },
  },
  {
    id: 'LIST-3',
    clause: '4.3',
    statement: 'With record=1 the list has only recorded sessions.',
    needs: needsEncoder,
    mutants: ['list-shows-unrecorded-sessions'],
    async check({ history }) {
      const { switched, neverTurnedOn, turnedOnLater, turnedOff } = await history();
      for (const { listed } of [switched, neverTurnedOn, turnedOnLater, turnedOff]) {
        const unrecorded = listed.find(({ record }) => record === false);
        if (unrecorded !== undefined) {
          fail('expected only recorded sessions, got one whose record is false', unrecorded);
        }
      }
    },
  },
  {
    id: 'LIST-4',
    clause: '4.3',
    statement: 'The list has no sessions of other streams.',
    needs: needsEncoder,
    mutants: ['list-shows-every-session', 'list-shows-sessions-by-name', 'list-fills-empty-list'],
    async check({ createStream, history, listRecorded }) {
      const { switched } = await history();
      const { id } = await createStream({ name: switched.stream.shown['name'] });
      expectEmpty(await listRecorded(id));
    },
  },
  {
    id: 'LIST-5',
    clause: '2.3',
    statement: 'Sessions have different ids and keep them, and each list has the same sessions.',
    because: 'id is the identifier of the session, and what is recorded is listed.',
    mutants: [
      'list-renames-sessions',
      'list-repeats-sessions',
      'list-forgets-every-other-time',
      'ready-renames-sessions',
      'start-makes-ids-from-clock',
    ],
    async check(context) {
      const { streamId, listed, seen } = await context.recording('any');
      expectDifferentIds(listed);
      expectDifferentIds(await sessionsBegunAtOnce(context));
      const askOften = () =>
        Promise.all(Array.from({ length: timesAsked }, () => context.listRecorded(streamId)));
      const before = [seen, listed, ...(await askOften())].flat();
      for (const later of await askOften()) {
        const lost = before.find((session) => !isIn(session, later));
        if (lost === undefined) continue;
        fail(`expected the same sessions in each list, ${show(lost['id'])} is gone`, later, lost);
      }
    },
  },
  {
    id: 'LIST-11',
    clause: '1, 4.1',
    statement: 'A session has the profiles of its parent stream.',
    needs: needsEncoder,
    mutants: ['list-drops-inherited-profiles', 'list-invents-profiles'],
    async check({ history }) {
      const { switched, plain } = await history();
      expectInherited(switched, recommendedProfiles);
      expectInherited(plain, []);
    },
  },
  {
    id: 'LIST-16',
    clause: '4.3',
    statement:
      'Listing a stream that has a recorded session answers with 200 and a JSON array of objects.',
    mutants: ['list-fails-when-not-empty', 'list-wraps-array-when-not-empty', 'list-ends-in-null'],
    async check({ listing }) {
      const { listed } = await expectReadable(listing());
      expectListed(listed);
    },
  },
  {
    id: 'LIST-17',
    clause: '4.3',
    statement: 'The list has every recorded session of its stream.',
    because: 'record=1 restricts the list to the recorded sessions, and to nothing less.',
    needs: needsEncoder,
    mutants: [
      'list-shows-newest-only',
      'list-shows-oldest-only',
      'list-shows-two-at-most',
      'list-of-two-ends-in-null',
    ],
    async check({ severalSessions }) {
      const { made, listed } = await expectReadable(severalSessions());
      expectListed(listed);
      const ids = new Set(listed.map(({ id }) => id));
      if (ids.size >= made) {
        if (listed.every(isReady)) return;
        blockUnready(listed);
      }
      const header = unfollowedPaging(listed);
      if (header !== undefined) {
        throw new Blocked(`a list that the suite can read to its end: it says ${show(header)}`);
      }
      fail(
        `expected all ${made} recorded sessions of the stream in its list, got ${ids.size}; each session began after the one before it was ready`,
        listed,
      );
    },
  },
]);

function expectEmpty(sessions: readonly JsonObject[]): void {
  if (sessions.length > 0) fail('expected an empty list of a new stream, got sessions', sessions);
}

/** How often a list is asked for that must stay the same. */
const timesAsked = 5;

/** Compares what sessions show with what their stream showed at its creation. */
function expectInherited(
  { stream, listed }: { readonly stream: CreatedStream; readonly listed: readonly JsonObject[] },
  submitted: readonly object[],
): void {
  expectListed(listed);
  for (const session of listed) {
    if (submitted.length > 0) expectField(session, 'profiles', profileObjects, isProfiles);
    const expected = documentedProfiles(stream.shown['profiles'] ?? submitted);
    expectEcho(session['profiles'] ?? [], expected, 'profiles', session, stream.shown);
  }
}

function expectDifferentIds(sessions: readonly JsonObject[]): void {
  const seen = new Map<unknown, JsonObject>();
  for (const session of sessions) {
    const same = seen.get(session['id']);
    if (same) fail(`expected ids that differ, got ${show(session['id'])} again`, session, same);
    seen.set(session['id'], session);
  }
}

/** As the provider showed them; none if it shows other ids than the list does. */
async function sessionsBegunAtOnce({ history }: CheckContext): Promise<readonly JsonObject[]> {
  const { switched, begunAtOnce = [] } = (await unlessPrevented(history())) ?? {};
  const { begun, listed = [] } = switched ?? {};
  return begun !== undefined && isIn(begun, listed) ? begunAtOnce : [];
}
