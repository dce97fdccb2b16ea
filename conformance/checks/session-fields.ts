import { isReady } from '../sessions/recorded-list.ts';
import { blockUnready, findLater, needsListedSession } from '../sessions/recording.ts';
import { expectField, fail, type JsonObject, show } from '../target/expectations.ts';
import type { CheckContext } from './check-context.ts';
import { expectAddress, expectDuration, playsWhole } from './playback.ts';
import type { Requirement, TestableRequirement } from './requirement.ts';

const area = 'list';
const level = 'must';
const stated = { kind: 'stated' } as const;
const needsSession = ['session'] as const;

/** What profiles are, in words. */
export const profileObjects = 'an array of profile objects';

/** Whether a value is an array of objects. */
export function isProfiles(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}

/** The sessions that a requirement on a field speaks of. */
interface Sessions {
  readonly words: string;
  readonly find: (context: CheckContext) => Promise<readonly JsonObject[]>;
}

const recordedSessions: Sessions = {
  words: 'a recorded session',
  /** Whether or not they are ready, which a wrong field may hide. */
  async find(context) {
    const { listed } = await context.listing();
    if (listed.length === 0) throw needsListedSession();
    return listed;
  },
};

const readySessions: Sessions = {
  words: 'a session that is ready',
  async find(context) {
    const { listed } = await context.recording('any');
    return listed.filter(isReady);
  },
};

/** What recorded sessions show (interface 2.3). */
export const sessionFieldRequirements: readonly Requirement[] = [
  {
    id: 'LIST-2',
    area,
    level,
    clause: '4.3',
    statement: 'Every listed session has the parentId that was asked for.',
    basis: stated,
    needs: needsSession,
    mutants: ['list-omits-parent-id', 'list-shows-own-id-as-parent'],
    async check(context) {
      const { streamId, listed } = await context.recording('any');
      for (const session of listed) {
        expectField(session, 'parentId', show(streamId), (value) => value === streamId);
      }
    },
  },
  onField(recordedSessions, 'LIST-6', 'id', 'a string that is not empty', {
    mutants: ['list-numbers-sessions'],
    holds: (value) => typeof value === 'string' && value !== '',
  }),
  onField(recordedSessions, 'LIST-7', 'record', 'true, as recorded sessions are listed', {
    mutants: ['list-omits-record', 'list-shows-record-as-number'],
    holds: (value) => value === true,
  }),
  {
    id: 'LIST-8',
    area,
    level,
    clause: '2.3',
    statement: 'recordingStatus of a recorded session is a string.',
    basis: stated,
    needs: needsSession,
    mutants: ['list-shows-status-as-boolean', 'list-omits-status'],
    async check(context) {
      const listed = await recordedSessions.find(context);
      for (const session of listed) {
        // The interface states one value alone, that of a recording which is available.
        if (!('recordingStatus' in session) && !('recordingUrl' in session)) blockUnready(listed);
        expectField(session, 'recordingStatus', 'a string', (value) => typeof value === 'string');
      }
    },
  },
  onField(recordedSessions, 'LIST-9', 'createdAt', 'an integer of milliseconds since 1970', {
    mutants: ['list-dates-in-seconds', 'list-dates-in-microseconds', 'list-dates-as-text'],
    holds: (value) => Number.isInteger(value) && Number(value) > 1e11 && Number(value) < 1e13,
  }),
  onField(recordedSessions, 'LIST-10', 'profiles', profileObjects, {
    mutants: ['list-omits-profiles', 'list-names-profiles'],
    holds: isProfiles,
  }),
  onAddress('LIST-12', 'recordingUrl', [
    'ready-omits-recording-url',
    'ready-shows-relative-recording-url',
  ]),
  onAddress('LIST-13', 'mp4URL', ['ready-spells-mp4-url-differently']),
  {
    id: 'LIST-14',
    area,
    level,
    clause: '2.3',
    statement: 'sourceSegmentsDuration of a session that is ready is a number above 0, in seconds.',
    basis: stated,
    needs: needsSession,
    mutants: ['ready-shows-duration-as-text', 'ready-omits-duration', 'ready-shows-no-duration'],
    async check(context) {
      for (const session of await readySessions.find(context)) expectDuration(session);
    },
  },
  {
    id: 'LIST-15',
    area,
    level: 'should',
    clause: '2.3',
    statement: 'The path of recordingUrl ends in index.m3u8.',
    basis: {
      kind: 'derived',
      because:
        'The interface names the playlist `index.m3u8`, but says only that the address is one of it.',
    },
    needs: needsSession,
    mutants: ['ready-names-playlist-differently'],
    async check(context) {
      const { session } = await context.recording('any');
      const url = expectAddress(session, 'recordingUrl');
      if (!new URL(url).pathname.endsWith('/index.m3u8')) {
        const expected = 'an address whose path ends in /index.m3u8';
        fail(`recordingUrl: expected ${expected}, got ${show(url)}`, session);
      }
    },
  },
  {
    id: 'LIST-18',
    area,
    level,
    clause: '2.3, 3',
    statement: 'A recorded session that is available has the recordingStatus ready.',
    basis: stated,
    needs: needsSession,
    mutants: ['list-shouts-status', 'list-leaves-status-waiting'],
    async check(context) {
      const { streamId, listed } = await context.listing();
      if (listed.some(isReady)) return;
      const named = listed.filter((session) => typeof session['recordingStatus'] === 'string');
      const available = await findAsync(named, (session) => playsWhole(context, session));
      if (available === undefined) blockUnready(listed);
      // From here on it is known to be available, so the time for its status begins.
      const later = await context.untilReady(streamId);
      if (later.some(isReady)) return;
      const session = findLater(available, listed, later) ?? available;
      fail(
        `recordingStatus: expected "ready" in a session whose recording plays from beginning to end, got ${show(session['recordingStatus'])}`,
        session,
      );
    },
  },
];

async function findAsync<Item>(
  items: readonly Item[],
  holds: (item: Item) => Promise<boolean>,
): Promise<Item | undefined> {
  for (const item of items) if (await holds(item)) return item;
  return undefined;
}

interface FieldRule {
  readonly mutants: readonly string[];
  readonly holds: (value: unknown) => boolean;
}

/** A requirement on a field of sessions. */
function onField(
  { words, find }: Sessions,
  id: string,
  field: string,
  expected: string,
  { mutants, holds }: FieldRule,
): TestableRequirement {
  return {
    id,
    area,
    level,
    clause: '2.3',
    statement: `${field} of ${words} is ${expected}.`,
    basis: stated,
    needs: needsSession,
    mutants,
    async check(context: CheckContext) {
      for (const session of await find(context)) expectField(session, field, expected, holds);
    },
  };
}

function onAddress(
  id: string,
  field: 'recordingUrl' | 'mp4URL',
  mutants: readonly string[],
): TestableRequirement {
  return {
    id,
    area,
    level,
    clause: '2.3, 3',
    statement: `${field} of ${readySessions.words} is an http or https address.`,
    basis: stated,
    needs: needsSession,
    mutants,
    async check(context) {
      for (const session of await readySessions.find(context)) expectAddress(session, field);
    },
  };
}
