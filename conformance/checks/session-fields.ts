import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { blockUnready, expectListed, isReady } from '../sessions/recorded-list.ts';
import { expectField, fail, type JsonObject, show } from '../target/expectations.ts';
import { unlessPrevented } from '../target/failure.ts';
import type { CheckContext } from './check-context.ts';
import { expectAddress, expectDuration, expectPlayable } from './playback.ts';
import { type ListedRequirement, requirementsOf } from './requirement.ts';

/** What profiles are, for messages. */
export const profileObjects = 'an array of profile objects';

/** Whether a value is an array of objects. */
export function isProfiles(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}

/** Profiles with only their documented keys (interface 2.2): others may differ from object to object. */
export function documentedProfiles(profiles: unknown): unknown {
  if (!isProfiles(profiles)) return profiles;
  return (profiles as JsonObject[]).map((profile) =>
    Object.fromEntries(Object.entries(profile).filter(([key]) => key in profileKeys)),
  );
}

const [profileKeys = {}] = recommendedProfiles;

/** What recorded sessions show (interface 2.3). */
export const sessionFieldRequirements = requirementsOf({ area: 'list', needs: ['session'] }, [
  {
    id: 'LIST-2',
    clause: '4.3',
    statement: 'Every listed session has the parentId that was asked for.',
    mutants: ['list-omits-parent-id', 'list-shows-own-id-as-parent'],
    async check({ recording }) {
      const { streamId, listed } = await recording('any');
      for (const session of listed) {
        expectField(session, 'parentId', show(streamId), (value) => value === streamId);
      }
    },
  },
  recordedSessionsHave({
    id: 'LIST-6',
    field: 'id',
    expected: 'a string that is not empty',
    holds: (value) => typeof value === 'string' && value !== '',
    mutants: ['list-numbers-sessions'],
  }),
  recordedSessionsHave({
    id: 'LIST-7',
    field: 'record',
    expected: 'true, as recorded sessions are listed',
    holds: (value) => value === true,
    mutants: ['list-omits-record', 'list-shows-record-as-number'],
  }),
  {
    id: 'LIST-8',
    clause: '2.3',
    statement: 'recordingStatus of a recorded session is a string.',
    mutants: ['list-shows-status-as-boolean', 'list-omits-status'],
    async check(context) {
      const listed = await listedSessions(context);
      for (const session of listed) {
        // The interface states only the value of a recording that is available.
        if (!('recordingStatus' in session) && !('recordingUrl' in session)) blockUnready(listed);
        expectField(session, 'recordingStatus', 'a string', (value) => typeof value === 'string');
      }
    },
  },
  recordedSessionsHave({
    id: 'LIST-9',
    field: 'createdAt',
    expected: 'an integer of milliseconds since 1970',
    holds: (value) => Number.isInteger(value) && Number(value) > 1e11 && Number(value) < 1e13,
    mutants: ['list-dates-in-seconds', 'list-dates-in-microseconds', 'list-dates-as-text'],
  }),
  recordedSessionsHave({
    id: 'LIST-10',
    field: 'profiles',
    expected: profileObjects,
    holds: isProfiles,
    mutants: ['list-omits-profiles', 'list-names-profiles'],
  }),
  {
    id: 'LIST-12',
    clause: '2.3, 3',
    statement: 'recordingUrl of a session that is ready is an http or https address.',
    mutants: ['ready-omits-recording-url', 'ready-shows-relative-recording-url'],
    check: ofEachReady((session) => expectAddress(session, 'recordingUrl')),
  },
  {
    id: 'LIST-13',
    clause: '2.3, 3',
    statement: 'mp4URL of a session that is ready is an http or https address.',
    mutants: ['ready-spells-mp4-url-differently'],
    check: ofEachReady((session) => expectAddress(session, 'mp4URL')),
  },
  {
    id: 'LIST-14',
    clause: '2.3',
    statement: 'sourceSegmentsDuration of a session that is ready is a number above 0, in seconds.',
    mutants: ['ready-shows-duration-as-text', 'ready-omits-duration', 'ready-shows-no-duration'],
    check: ofEachReady(expectDuration),
  },
  {
    id: 'LIST-15',
    level: 'should',
    clause: '2.3',
    statement: 'The path of recordingUrl ends in index.m3u8.',
    because:
      'The interface names the playlist `index.m3u8`, but says only that the address is one of it.',
    mutants: ['ready-names-playlist-differently'],
    async check({ recording }) {
      const { session } = await recording('any');
      const url = expectAddress(session, 'recordingUrl');
      if (!new URL(url).pathname.endsWith('/index.m3u8')) {
        const expected = 'an address whose path ends in /index.m3u8';
        fail(`recordingUrl: expected ${expected}, got ${show(url)}`, session);
      }
    },
  },
  {
    id: 'LIST-18',
    clause: '2.3, 3',
    statement: 'A recorded session that is available has the recordingStatus ready.',
    mutants: ['list-shouts-status', 'list-leaves-status-waiting'],
    async check(context) {
      const { streamId, listed } = await context.listing();
      if (listed.some(isReady)) return;
      const available = await findAvailable(context, listed);
      if (available === undefined) return blockUnready(listed);
      // Only now is it known to be available, so the time for its status begins here.
      const later = await context.listUntilReady(streamId);
      if (later.some(isReady)) return;
      const session = later.find(({ id }) => id === available['id']) ?? available;
      fail(
        `recordingStatus: expected "ready" in a session whose recording plays from beginning to end, got ${show(session['recordingStatus'])}`,
        session,
      );
    },
  },
]);

/** Sessions in a list, ready or not: a wrong field may be what hides that they are. */
async function listedSessions({ listing }: CheckContext): Promise<readonly JsonObject[]> {
  const { listed } = await listing();
  expectListed(listed);
  return listed;
}

function ofEachReady(check: (session: JsonObject) => unknown): ListedRequirement['check'] {
  return async ({ recording }) => {
    const { listed } = await recording('any');
    for (const session of listed.filter(isReady)) check(session);
  };
}

async function findAvailable(
  context: CheckContext,
  listed: readonly JsonObject[],
): Promise<JsonObject | undefined> {
  for (const session of listed) {
    const hasStatus = typeof session['recordingStatus'] === 'string';
    if (hasStatus && (await unlessPrevented(expectPlayable(context, session)))) return session;
  }
  return undefined;
}

interface FieldRequirement extends Pick<ListedRequirement, 'id' | 'mutants'> {
  readonly field: string;
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

/** A stated requirement on one field of every recorded session. */
function recordedSessionsHave(requirement: FieldRequirement): ListedRequirement {
  const { id, field, expected, holds, mutants } = requirement;
  return {
    id,
    clause: '2.3',
    statement: `${field} of a recorded session is ${expected}.`,
    mutants,
    async check(context) {
      for (const session of await listedSessions(context)) {
        expectField(session, field, expected, holds);
      }
    },
  };
}
