import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../interface/json.ts';
import { jsonOf } from '../../target/requests/bounded-json.ts';
import { expectDistinct, expectEcho, expectField } from '../../target/requests/expectations.ts';
import {
  asPrecondition,
  Blocked,
  expectOfEach,
  fail,
  placeOf,
  unlessPrevented,
} from '../../target/requests/failure.ts';
import { isSuccess, type JsonObject } from '../../target/requests/read-response.ts';
import { charactersCut, idEndings } from '../../target/requests/well-known.ts';
import {
  blockUnready,
  expectListed,
  isIn,
  isReady,
  readList,
  unfollowedPaging,
} from '../../target/streams/recorded-list.ts';
import {
  type CreatedStream,
  get,
  recordedSessionsPath,
} from '../../target/streams/stream-requests.ts';
import { show } from '../../text/phrases.ts';
import { sendsProfiles } from '../sessions/shared-sessions.ts';
import { type ListedSession, listedSessions, readySessions } from './all-sessions.ts';
import type { CheckContext } from './check-context.ts';
import { type ListedRequirement, requirementsOf } from './requirement.ts';
import { expectPlayable } from './session-media.ts';
import {
  documentedProfiles,
  expectAddress,
  expectDuration,
  sessionShapes,
  streamShapes,
} from './shown-fields.ts';
import { clockTolerance } from './stream-fields.ts';

const needsEncoder = ['writes', 'encoder'] as const;

/** Listing the recorded sessions of a stream (interface 4.3). */
export const listRequirements = requirementsOf('list', ['session'], {
  'LIST-1': {
    clause: '4.3',
    statement: 'Listing returns status 200 and a JSON array, which is empty for a new stream.',
    because: 'The response is stated; a stream that was never live has no sessions.',
    needs: ['writes'],
    async check(context) {
      const { id } = await context.createStream();
      expectEmpty(readList(await context.call(get(recordedSessionsPath(id)))));
    },
  },
  'LIST-3': {
    clause: '4.3',
    statement: 'With record=1 the list has only recorded sessions.',
    needs: needsEncoder,
    async check({ history, liveSwitches, firstUnrecordedListed }) {
      // Their lists are of streams with recorded sessions, unrecorded ones, both, and live ones.
      await history();
      await unlessPrevented(liveSwitches());
      await expectOfEach(firstUnrecordedListed(), (session) =>
        fail('expected only recorded sessions, got one whose record is false', session),
      );
    },
  },
  'LIST-4': {
    clause: '4.3',
    statement: 'The list has no sessions of other streams.',
    needs: needsEncoder,
    async check({ createNamesake, history, listRecorded }) {
      const { switched } = await history();
      const { id } = await createNamesake(switched.stream);
      expectEmpty(await listRecorded(id));
    },
  },
  'LIST-5': {
    clause: '2.3',
    statement: 'Sessions have different ids and keep them, and each list has the same sessions.',
    because: 'id is the identifier of the session, and what is recorded is listed.',
    async check(context) {
      const { streamId, sessions, firstSessions } = await context.recording('any');
      // A session that begins between two pages of a given stream may move another one to the second page.
      if (context.owns(streamId)) expectDistinct(sessions, 'id', 'sessions');
      // No session of these streams begins any more, so no page of their lists may repeat one.
      const { plain, onAgain } = (await unlessPrevented(context.history())) ?? {};
      const several = await unlessPrevented(context.severalSessions());
      const simultaneousSessions = await findSimultaneousSessions(context);
      await expectOfEach(
        [plain?.sessions, onAgain?.sessions, several?.sessions, simultaneousSessions],
        (list) => expectDistinct(list ?? [], 'id', 'sessions'),
      );
      await unlessPrevented(context.liveSwitches());
      context.expectEachListedOnce();
      const askOften = () =>
        Promise.all(Array.from({ length: timesAsked }, () => context.listRecorded(streamId)));
      const before = [firstSessions, sessions, ...(await askOften())].flat();
      await expectOfEach(await askOften(), (later) => {
        const [lost, ...others] = before.filter((session) => !isIn(session, later));
        if (lost === undefined) return;
        const ids = [...new Set([lost, ...others].map(({ id }) => show(id)))];
        fail(
          ids.map((id) => `${id}: expected this session in each list, got a list without it`),
          later,
          lost,
        );
      });
    },
  },
  'LIST-11': {
    clause: '1, 4.1',
    statement: 'A session has the profiles of its parent stream.',
    needs: needsEncoder,
    async check({ history, severalSessions }) {
      const { switched, plain } = await history();
      // A service that knows profiles by their names or heights may take others for the recommended ones.
      const several = await severalSessions();
      await expectOfEach([switched, plain, several], expectInherited);
    },
  },
  'LIST-16': {
    clause: '4.3',
    statement:
      'Listing a stream that has a recorded session returns status 200 and a JSON array of objects.',
    async check({ listing }) {
      expectListed((await listing()).sessions);
    },
  },
  'LIST-17': {
    clause: '4.3',
    statement: 'The list has every recorded session of its stream.',
    because: 'record=1 restricts the list to the recorded sessions, and does not leave any out.',
    needs: needsEncoder,
    async check(context) {
      await expectPlainListed(context);
      const { sessionCount, sessions, isLastHurried } = await context.severalSessions();
      expectListed(sessions);
      const ids = new Set(sessions.map(({ id }) => id));
      if (ids.size >= sessionCount) {
        if (sessions.every(isReady)) return;
        blockUnready(sessions);
      }
      const header = unfollowedPaging(sessions);
      if (header !== undefined) {
        throw new Blocked(
          `needs a list that the suite can read to its end: this one continues, with ${show(header)}`,
        );
      }
      fail(
        `expected all ${sessionCount} recorded sessions of the stream in its list, got ${ids.size}; the last one began ${isLastHurried ? 'before' : 'after'} the one before it was ready`,
        sessions,
      );
    },
  },
  'LIST-2': {
    clause: '4.3',
    statement: 'Every listed session has the parentId that was asked for.',
    async check(context) {
      await expectOfEach(await listedSessions(context), ({ streamId, session }) =>
        expectField(session, 'parentId', show(streamId), (value) => value === streamId),
      );
    },
  },
  'LIST-6': recordedSessionsHave('id'),
  'LIST-7': recordedSessionsHave(
    'record',
    // LIST-3 judges whether the lists of the run's own streams have sessions that are not recorded.
    ({ streamId, session }, { owns }) => session['record'] !== false || !owns(streamId),
  ),
  'LIST-8': {
    clause: '2.3',
    statement: 'recordingStatus of a recorded session is a string.',
    async check(context) {
      const sessions = (await listedSessions(context)).map(({ session }) => session);
      // The interface states only the value of a recording that is available. LIST-3 judges what is not recorded.
      const judged = sessions.filter(
        (session) =>
          session['record'] !== false &&
          ('recordingStatus' in session || 'recordingUrl' in session),
      );
      if (judged.length === 0) blockUnready(sessions);
      await expectOfEach(judged, (session) => {
        expectField(session, 'recordingStatus', 'a string', (value) => typeof value === 'string');
      });
    },
  },
  'LIST-9': recordedSessionsHave('createdAt'),
  'LIST-10': recordedSessionsHave(
    'profiles',
    // A session has them "as in the stream object", and a stream that was created without profiles may show none.
    ({ hasProfiles, session }) => hasProfiles || (session['profiles'] ?? undefined) !== undefined,
  ),
  'LIST-12': {
    clause: '2.3, 3',
    statement: 'recordingUrl of a session that is ready is an http or https address.',
    check: ofEachReady((session) => expectAddress(session, 'recordingUrl')),
  },
  'LIST-13': {
    clause: '2.3, 3',
    statement: 'mp4URL of a session that is ready is an http or https address.',
    check: ofEachReady((session) => expectAddress(session, 'mp4URL')),
  },
  'LIST-14': {
    clause: '2.3',
    statement: 'sourceSegmentsDuration of a session that is ready is a number above 0.',
    check: ofEachReady(expectDuration),
  },
  'LIST-15': {
    level: 'should',
    clause: '2.3',
    statement: 'The path of recordingUrl ends in index.m3u8.',
    because:
      'The interface calls the playlist `index.m3u8`, but does not say that the address ends in that.',
    check: ofEachReady((session) => {
      const url = expectAddress(session, 'recordingUrl');
      if (!new URL(url).pathname.endsWith('/index.m3u8')) {
        const expected = 'an address whose path ends in /index.m3u8';
        fail(`recordingUrl: expected ${expected}, got ${show(url)}`, session);
      }
    }),
  },
  'LIST-19': {
    level: 'should',
    clause: '2.3',
    statement: 'createdAt of a session is not that of its stream.',
    because: 'A session begins when its stream goes live, which is after the stream was created.',
    needs: needsEncoder,
    async check({ severalSessions, recordNextSession }) {
      const { stream, sessions } = await severalSessions();
      expectListed(sessions);
      const created = stream.fields['createdAt'];
      const isAlike = ({ createdAt }: JsonObject): boolean => createdAt === created;
      await asPrecondition(
        'reading createdAt',
        () => expectField(stream.fields, 'createdAt', ...streamShapes.createdAt),
        'CREATE-7',
      );
      let latest = sessions;
      // A service that counts whole seconds may have begun them all in the second in which it created the stream, and
      // one that makes finished sessions may let the next one begin where the last one ended.
      for (const pause of [0, 1_100, 1_100]) {
        await sleep(pause);
        if (pause > 0) latest = (await recordNextSession(stream)).sessions;
        if (!latest.every(isAlike)) return;
      }
      if (latest.every((session) => isIn(session, sessions))) {
        throw new Blocked('needs a session that began later in the list; see LIST-17');
      }
      fail(
        `createdAt: expected the time at which the session began, got ${show(created)}, as in its stream, in all ${latest.length} sessions`,
        latest,
        stream.fields,
      );
    },
  },
  'LIST-21': {
    clause: '2.1, 2.3',
    statement:
      'createdAt of a session lies between the creation of its stream and now, if clocks may differ by 20 minutes.',
    because: 'It is the creation time of the session, which begins when its stream goes live.',
    needs: needsEncoder,
    async check({ severalSessions, now }) {
      const { stream, sessions } = await severalSessions();
      expectListed(sessions);
      const streamCreatedAt = await asPrecondition(
        'reading createdAt',
        () => {
          expectField(stream.fields, 'createdAt', ...streamShapes.createdAt);
          return Number(stream.fields['createdAt']);
        },
        'CREATE-7',
      );
      const [, isTime] = sessionShapes.createdAt;
      const judged = sessions.filter(({ createdAt }) => isTime(createdAt));
      if (judged.length === 0) throw new Blocked('needs a session with a createdAt; see LIST-9');
      const time = now();
      const expected = `a Unix timestamp in milliseconds from ${streamCreatedAt}, when its stream was created, to ${time}, now, give or take 20 minutes`;
      await expectOfEach(judged, (session) =>
        expectField(
          session,
          'createdAt',
          expected,
          (value) =>
            Number(value) >= streamCreatedAt - clockTolerance &&
            Number(value) <= time + clockTolerance,
        ),
      );
    },
  },
  'LIST-20': {
    clause: '4.3',
    statement:
      'An id with more or fewer characters, a playback id, a stream key or the id of a session lists no sessions of a stream.',
    because: 'The list has only sessions whose parentId is the one in the path.',
    async check(context) {
      const { streamId, sessions } = await context.listing();
      expectListed(sessions);
      const { switched } = (await unlessPrevented(context.history())) ?? {};
      const fields = switched?.stream.fields;
      const notIds = [
        ...idEndings.map((ending) => ['an id with more characters', streamId + ending] as const),
        ...charactersCut.map(
          (count) => ['an id with fewer characters', streamId.slice(0, -count)] as const,
        ),
        ['the playback id', fields?.['playbackId'] ?? sessions[0]?.['playbackId']] as const,
        ['the stream key', fields?.['streamKey']] as const,
        ['the id of a session', sessions[0]?.['id']] as const,
      ];
      await expectOfEach(notIds, async ([words, value]) => {
        if (typeof value !== 'string' || value === '' || value === streamId) return;
        const response = await context.call(get(recordedSessionsPath(value)));
        // Whether the list is refused is left open.
        const shown = isSuccess(response) ? [jsonOf(response)].flat().filter(isObject) : [];
        const other = shown.find(({ parentId }) => parentId !== value);
        if (other === undefined) return;
        fail(
          `the list for ${words}: expected no session, got one whose parentId is another`,
          response,
        );
      });
    },
  },
  'LIST-22': {
    level: 'should',
    clause: '3',
    statement:
      'A recording that is ready stays ready, also when other sessions of its stream begin.',
    because:
      'Whoever was told that a recording is available may play it at any time, but the interface does not show to which states a recording may change.',
    check: ofEachChange('recordingStatus'),
  },
  'LIST-23': {
    level: 'should',
    clause: '2.3',
    statement: 'createdAt of a session whose recording is ready stays the same.',
    because:
      'A session is created once, but the interface does not say how exactly createdAt tells when.',
    check: ofEachChange('createdAt'),
  },
  'LIST-18': {
    clause: '2.3, 3',
    statement: 'A recorded session that is available has the recordingStatus ready.',
    async check(context) {
      const { streamId, sessions } = await context.listing();
      if (sessions.some(isReady)) return;
      const available = await findAvailable(context, sessions);
      if (available === undefined) return blockUnready(sessions);
      // The wait for its status begins only now that it is known to be available.
      const later = await context.listPatientlyUntilReady(streamId);
      if (later.some(isReady)) return;
      const session = later.find(({ id }) => id === available['id']) ?? available;
      fail(
        `recordingStatus: expected "ready" in a session whose recording plays from beginning to end, got ${show(session['recordingStatus'])}`,
        session,
      );
    },
  },
});

function expectEmpty(sessions: readonly JsonObject[]): void {
  if (sessions.length > 0) fail('expected an empty list for a new stream, got sessions', sessions);
}

/** Expects the session of the stream without profiles to be listed, if a later session of another stream is. */
async function expectPlainListed({ history, listRecorded }: CheckContext): Promise<void> {
  const { plain, onAgain } = await history();
  if (plain.sessions.length > 0 || !onAgain.recorded) return;
  const sessions = await listRecorded(plain.stream.id);
  if (sessions.length > 0) return;
  const which = sendsProfiles(plain.stream) ? '' : ' without profiles';
  fail(
    `expected the recorded session of a stream${which} in its list, got none, although a later session of another stream is in the list of that one`,
    sessions,
    onAgain.sessions,
  );
}

/** How many times a list that must stay the same is requested. */
const timesAsked = 5;

/** Expects sessions to show the profiles that their stream showed when it was created. */
async function expectInherited({ stream, sessions }: MadeSessions): Promise<void> {
  expectListed(sessions);
  const { fields, sentProfiles = [] } = stream;
  const expected = documentedProfiles(fields['profiles'] ?? sentProfiles);
  await expectOfEach(sessions, (session) => {
    if (sendsProfiles(stream)) expectField(session, 'profiles', ...sessionShapes.profiles);
    const path = `${placeOf(session)}.profiles`;
    expectEcho(session['profiles'] ?? [], expected, path, session, fields);
  });
}

/** Sessions that the suite made, and their stream. */
interface MadeSessions {
  readonly stream: CreatedStream;
  readonly sessions: readonly JsonObject[];
}

/** The sessions as the provider showed them; none if their ids are not those in the list. */
async function findSimultaneousSessions({ history }: CheckContext): Promise<readonly JsonObject[]> {
  const { switched, simultaneousSessions = [] } = (await unlessPrevented(history())) ?? {};
  const { begunSession, sessions = [] } = switched ?? {};
  const isListed = begunSession !== undefined && isIn(begunSession, sessions);
  return isListed ? simultaneousSessions : [];
}

function ofEachReady(check: (session: JsonObject) => unknown): ListedRequirement['check'] {
  return async (context) => {
    await expectOfEach(await readySessions(context), check);
  };
}

/** A check that no list so far has shown a field of a session differently, although its recording was ready. */
function ofEachChange(field: 'recordingStatus' | 'createdAt'): ListedRequirement['check'] {
  return async ({ recording, history, severalSessions, changedSinceReady }) => {
    await recording('any');
    await unlessPrevented(history());
    await unlessPrevented(severalSessions());
    const { ready, later } = changedSinceReady(field) ?? {};
    if (ready === undefined || later === undefined) return;
    fail(
      `${field} of a session whose recording is ready: expected ${show(ready[field])} as in an earlier list, got ${show(later[field])}`,
      later,
      ready,
    );
  };
}

async function findAvailable(
  context: CheckContext,
  sessions: readonly JsonObject[],
): Promise<JsonObject | undefined> {
  for (const session of sessions) {
    const hasStatus = typeof session['recordingStatus'] === 'string';
    if (hasStatus && (await unlessPrevented(expectPlayable(context, session)))) return session;
  }
  return undefined;
}

/**
 * A requirement that the interface states about one field of every recorded session.
 * @param isJudged which sessions it judges; by default all
 */
function recordedSessionsHave(
  field: keyof typeof sessionShapes,
  isJudged: (listed: ListedSession, context: CheckContext) => boolean = () => true,
): ListedRequirement {
  return {
    clause: '2.3',
    statement: `${field} of a recorded session is ${sessionShapes[field][0]}.`,
    async check(context) {
      const listed = await listedSessions(context);
      await expectOfEach(
        listed.filter((session) => isJudged(session, context)),
        ({ session }) => expectField(session, field, ...sessionShapes[field]),
      );
    },
  };
}
