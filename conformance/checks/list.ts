import { recommendedProfiles } from '../../fixtures/profiles.ts';
import {
  expectEcho,
  expectStatus,
  fail,
  type JsonObject,
  readObjects,
  show,
} from '../expectations.ts';
import { Blocked } from '../failure.ts';
import { type Lab, recordedPath } from '../lab.ts';
import type { Requirement, TestableRequirement } from '../requirement.ts';
import { needsListedSession } from './unchanged.ts';

const area = 'list';
const level = 'must';
const stated = { kind: 'stated' } as const;
const needsSession = ['session'] as const;
const needsEncoder = ['writes', 'encoder'] as const;

/** The sessions that a requirement on a field speaks of. */
interface Sessions {
  readonly words: string;
  readonly find: (lab: Lab) => Promise<readonly JsonObject[]>;
}

const recordedSessions: Sessions = {
  words: 'a recorded session',
  /** Whether or not they are ready, which a wrong field may hide. */
  async find(lab) {
    try {
      const { switched } = await lab.history();
      if (switched.listed.length > 0) return switched.listed;
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
    }
    return (await lab.recording('any')).listed;
  },
};

const readySessions: Sessions = {
  words: 'a session that is ready',
  async find(lab) {
    const { listed } = await lab.recording('any');
    return listed.filter((session) => session['recordingStatus'] === 'ready');
  },
};

/** Listing the recorded sessions of a stream (interface 2.3 and 4.3). */
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
    async check(lab) {
      const { id } = await lab.createStream();
      const answer = await lab.call({ method: 'GET', path: recordedPath(id) });
      expectStatus(answer, 200);
      const sessions = readObjects(answer);
      if (sessions.length > 0) fail(`expected an empty array, got ${sessions.length} elements`);
    },
  },
  {
    id: 'LIST-2',
    area,
    level,
    clause: '4.3',
    statement: 'Every listed session has the parentId that was asked for.',
    basis: stated,
    needs: needsSession,
    mutants: ['list-omits-parent-id', 'list-shows-own-id-as-parent'],
    async check(lab) {
      const { streamId, listed } = await lab.recording('any');
      for (const session of listed) {
        expectEcho(session['parentId'], streamId, `parentId of session ${show(session['id'])}`);
      }
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
    async check(lab) {
      const { bystander } = await lab.history();
      if (bystander.listed.length > 0) {
        fail(
          `expected no session of a stream whose recording was never turned on, got ${show(bystander.listed.map(({ id }) => id))}`,
        );
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
    async check(lab) {
      const { switched, other } = await lab.history();
      const others = new Set(other.listed.map(({ id }) => id));
      const mixed = switched.listed.filter(({ id }) => others.has(id));
      if (mixed.length > 0) {
        fail(
          `expected streams ${switched.stream.id} and ${other.stream.id} to list no session in common, got ${show(mixed.map(({ id }) => id))}`,
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
    mutants: ['list-renames-sessions', 'list-repeats-sessions'],
    async check(lab) {
      const { streamId, listed } = await lab.recording('any');
      const ids = listed.map(({ id }) => id);
      if (new Set(ids).size < ids.length) fail(`expected ids that differ, got ${show(ids)}`);
      const later = new Set((await lab.listRecorded(streamId)).map(({ id }) => id));
      const lost = ids.filter((id) => !later.has(id));
      if (lost.length > 0)
        fail(`expected the same ids in the next list, got none of ${show(lost)}`);
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
  onField(recordedSessions, 'LIST-8', 'recordingStatus', 'a string', {
    mutants: ['list-shows-status-as-boolean', 'list-omits-status'],
    holds: (value) => typeof value === 'string',
  }),
  onField(recordedSessions, 'LIST-9', 'createdAt', 'an integer of milliseconds since 1970', {
    mutants: ['list-dates-in-seconds', 'list-dates-in-microseconds', 'list-dates-as-text'],
    holds: (value) => Number.isInteger(value) && Number(value) > 1e11 && Number(value) < 1e13,
  }),
  onField(recordedSessions, 'LIST-10', 'profiles', 'an array of profile objects', {
    mutants: ['list-omits-profiles', 'list-names-profiles'],
    holds: (value) =>
      Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null),
  }),
  {
    id: 'LIST-11',
    area,
    level,
    clause: '1, 4.1',
    statement: 'A session has the profiles of its parent stream.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['list-drops-inherited-profiles', 'list-invents-profiles'],
    async check(lab) {
      const { switched, other } = await lab.history();
      await lab.recording('profiles');
      for (const session of switched.listed) {
        expectEcho(session['profiles'], recommendedProfiles, 'profiles');
      }
      for (const { profiles = [] } of other.listed) {
        expectEcho(profiles, [], 'profiles of a session whose stream has none');
      }
    },
  },
  onField(readySessions, 'LIST-12', 'recordingUrl', 'an http or https address', {
    clause: '2.3, 3',
    mutants: ['ready-omits-recording-url', 'ready-shows-relative-recording-url'],
    holds: isAddress,
  }),
  onField(readySessions, 'LIST-13', 'mp4URL', 'an http or https address', {
    clause: '2.3, 3',
    mutants: ['ready-spells-mp4-url-differently'],
    holds: isAddress,
  }),
  onField(readySessions, 'LIST-14', 'sourceSegmentsDuration', 'a number above 0, in seconds', {
    clause: '2.3',
    mutants: ['ready-shows-duration-as-text', 'ready-omits-duration', 'ready-shows-no-duration'],
    holds: (value) => typeof value === 'number' && value > 0,
  }),
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
    async check(lab) {
      const url = (await lab.recording('any')).session['recordingUrl'];
      if (!isAddress(url) || !new URL(url).pathname.endsWith('/index.m3u8')) {
        fail(`recordingUrl: expected an address that ends in /index.m3u8, got ${show(url)}`);
      }
    },
  },
  {
    id: 'LIST-16',
    area,
    level,
    clause: '4.3',
    statement: 'Listing a stream that has a recorded session answers with 200 and a JSON array.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['list-fails-when-not-empty', 'list-wraps-array-when-not-empty'],
    async check(lab) {
      const stream = await lab.createStream();
      await lab.setRecord(stream.id, true);
      const answer = await lab.listAfterSession(stream);
      expectStatus(answer, 200);
      if (readObjects(answer).length === 0) throw needsListedSession();
    },
  },
];

interface FieldRule {
  readonly mutants: readonly string[];
  readonly holds: (value: unknown) => boolean;
  readonly clause?: string;
}

/** A requirement on a field of sessions. */
function onField(
  { words, find }: Sessions,
  id: string,
  field: string,
  expected: string,
  { mutants, holds, clause = '2.3' }: FieldRule,
): TestableRequirement {
  return {
    id,
    area,
    level,
    clause,
    statement: `${field} of ${words} is ${expected}.`,
    basis: stated,
    needs: needsSession,
    mutants,
    async check(lab: Lab) {
      for (const session of await find(lab)) expectValue(session, field, expected, holds);
    },
  };
}

function expectValue(
  session: JsonObject,
  field: string,
  expected: string,
  holds: (value: unknown) => boolean,
): void {
  const value = session[field];
  if (!holds(value)) {
    fail(`${field} of session ${show(session['id'])}: expected ${expected}, got ${show(value)}`);
  }
}

function isAddress(value: unknown): value is string {
  return (
    typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  );
}
