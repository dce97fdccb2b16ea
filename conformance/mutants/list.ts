import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { Session, Stream } from '../../interface/types.ts';
import type { Rewrite } from '../../mocks/messages/client-request.ts';
import {
  emptyResponse,
  findStreamBy,
  on,
  refuse,
  rewriteJson,
  rewriteList,
  rewriteReady,
  rewriteResponse,
  rewriteSessions,
  type Step,
  together,
} from '../../mocks/variants/rewrite.ts';
import { breaks, type Mutants } from './mutant.ts';

/** Mutants of listing recorded sessions. */
export const listMutants: Mutants = {
  'list-answers-404-when-empty': breaks(
    'LIST-1',
    whenEmpty(() => refuse(404, 'no sessions')),
  ),
  'list-answers-204-when-empty': breaks(
    'LIST-1',
    whenEmpty(() => emptyResponse(204)),
  ),
  'list-answers-null-when-empty': breaks(
    'LIST-1',
    whenEmpty(() => Response.json(null)),
  ),
  'list-fills-empty-list': breaks(
    'LIST-4',
    whenEmpty(({ ask }) => ask('GET', '../../session?record=1')),
  ),
  'list-fails-when-not-empty': breaks(
    'LIST-16',
    rewriteResponse('list', async (response) =>
      !response.ok || (await isEmpty(response)) ? undefined : refuse(500, 'cannot list'),
    ),
  ),
  'list-wraps-array': breaks(
    'LIST-1',
    rewriteList((data) => ({ data })),
  ),
  'list-wraps-array-when-not-empty': breaks(
    'LIST-16',
    rewriteList((data) => (data.length > 0 ? { data } : data)),
  ),
  'list-ends-in-null': breaks('LIST-16', endInNull(1)),
  'list-of-two-ends-in-null': breaks('LIST-17', endInNull(2)),
  'list-repeats-sessions': breaks(
    'LIST-5',
    rewriteList((sessions) => sessions.flatMap((session) => [session, session])),
  ),
  'list-repeats-third-session': breaks(
    'LIST-5',
    rewriteList((sessions) => [...sessions, ...sessions.slice(2, 3)]),
  ),
  'list-shows-newest-only': breaks(
    'LIST-17',
    rewriteList((sessions) => sessions.slice(0, 1)),
  ),
  'list-shows-oldest-only': breaks(
    'LIST-17',
    rewriteList((sessions) => sessions.slice(-1)),
  ),
  'list-shows-two-at-most': breaks(
    'LIST-17',
    rewriteList((sessions) => sessions.slice(0, 2)),
  ),
  'list-leaves-out-sessions-without-profiles': breaks(
    'LIST-17',
    rewriteList((sessions) => sessions.filter(({ profiles }) => profiles.length > 0)),
  ),
  'list-omits-parent-id': breaks(
    'LIST-2',
    rewriteSessions('parentId', () => undefined),
  ),
  'list-shows-own-id-as-parent': breaks(
    'LIST-2',
    rewriteSessions('parentId', (_, session) => session.id),
  ),
  'list-numbers-sessions': breaks(
    'LIST-6',
    rewriteSessions('id', (id) => Number.parseInt(id.slice(0, 8), 16)),
  ),
  'list-omits-record': breaks(
    'LIST-7',
    rewriteSessions('record', () => undefined),
  ),
  'list-shows-record-as-number': breaks('LIST-7', rewriteSessions('record', Number)),
  'list-omits-status': breaks(
    'LIST-8',
    rewriteSessions('recordingStatus', () => undefined),
  ),
  'list-shows-status-as-boolean': breaks(
    'LIST-8',
    rewriteSessions('recordingStatus', (value) => value === 'ready'),
  ),
  'list-dates-in-seconds': breaks(
    'LIST-9',
    rewriteSessions('createdAt', (time) => Math.floor(time / 1000)),
  ),
  'list-dates-in-microseconds': breaks(
    'LIST-9',
    rewriteSessions('createdAt', (time) => time * 1000),
  ),
  'list-dates-sessions-like-stream': breaks(
    'LIST-19',
    rewriteList(async (sessions, { read }) => {
      const stream = await read<Stream>('.');
      return sessions.map((session) => ({ ...session, createdAt: stream?.createdAt }));
    }),
  ),
  'list-dates-in-local-time': breaks(
    'LIST-21',
    rewriteSessions('createdAt', (time) => time + 2 * 3_600_000),
  ),
  'list-dates-an-hour-early': breaks(
    'LIST-21',
    rewriteSessions('createdAt', (time) => time - 3_600_000),
  ),
  'list-dates-as-text': breaks(
    'LIST-9',
    rewriteSessions('createdAt', (time) => new Date(time).toISOString()),
  ),
  'list-omits-profiles': breaks(
    'LIST-10',
    rewriteSessions('profiles', () => undefined),
  ),
  'list-names-profiles': breaks(
    'LIST-10',
    rewriteSessions('profiles', (profiles) => profiles.map(({ name }) => name)),
  ),
  'list-drops-inherited-profiles': breaks(
    'LIST-11',
    rewriteSessions('profiles', () => []),
  ),
  'list-invents-profiles': breaks(
    'LIST-11',
    rewriteSessions('profiles', (profiles) => (profiles.length > 0 ? profiles : [smallProfile])),
  ),
  'list-chooses-profiles-by-height': breaks(
    'LIST-11',
    rewriteSessions('profiles', (profiles) =>
      profiles.map(
        (profile) => recommendedProfiles.find(({ height }) => height === profile.height) ?? profile,
      ),
    ),
  ),
  'list-rounds-bitrates': breaks(
    'LIST-11',
    rewriteSessions('profiles', (profiles) =>
      profiles.map((profile) => ({
        ...profile,
        bitrate: Math.floor(profile.bitrate / 1000) * 1000,
      })),
    ),
  ),
  'list-chooses-profiles-by-name': breaks(
    'LIST-11',
    rewriteSessions('profiles', (profiles) =>
      profiles.map(
        (profile) => recommendedProfiles.find(({ name }) => name === profile.name) ?? profile,
      ),
    ),
  ),
  'list-shows-recommended-profiles': breaks(
    'LIST-11',
    rewriteSessions('profiles', (profiles) => (profiles.length > 0 ? recommendedProfiles : [])),
  ),
  'list-sorts-profiles': breaks(
    'LIST-11',
    rewriteSessions('profiles', (profiles) =>
      profiles.toSorted((left, right) => right.height - left.height),
    ),
  ),
  'list-shouts-status': breaks(
    'LIST-18',
    rewriteReady('recordingStatus', () => 'READY'),
  ),
  'list-leaves-status-waiting': breaks(
    'LIST-18',
    rewriteReady('recordingStatus', () => 'waiting'),
  ),
  'ready-omits-recording-url': breaks(
    'LIST-12',
    rewriteReady('recordingUrl', () => undefined),
  ),
  'ready-shows-relative-recording-url': breaks(
    'LIST-12',
    rewriteReady('recordingUrl', (address) => new URL(address).pathname),
  ),
  'ready-spells-mp4-url-differently': breaks(
    'LIST-13',
    rewriteReady('mp4URL', () => undefined),
  ),
  'ready-shows-duration-as-text': breaks('LIST-14', rewriteReady('sourceSegmentsDuration', String)),
  'ready-omits-duration': breaks(
    'LIST-14',
    rewriteReady('sourceSegmentsDuration', () => undefined),
  ),
  'ready-shows-no-duration': breaks(
    'LIST-14',
    rewriteReady('sourceSegmentsDuration', () => 0),
  ),
  'ready-names-playlist-differently': breaks(
    'LIST-15',
    together(
      // The mock serves the playlist only under its own name.
      on('any playlist', ({ request, ask }) =>
        request.url.endsWith('/master.m3u8') ? ask('GET', 'index.m3u8') : undefined,
      ),
      rewriteReady('recordingUrl', (address) => address.replace('index.', 'master.')),
    ),
  ),
  'list-shows-unrecorded-sessions': breaks(
    'LIST-3',
    on('list', ({ request, ask }) => {
      const url = new URL(request.url);
      url.searchParams.delete('record');
      return ask('GET', url.href);
    }),
  ),
  'list-shows-every-session': breaks(
    'LIST-4',
    rewriteList(async (_, step) => asOwn(step, await everySession(step))),
  ),
  'list-shows-sessions-by-name': breaks(
    'LIST-4',
    rewriteList(async (_, step) => {
      const streams = (await step.read<Stream[]>('../../stream?limit=1000')) ?? [];
      const names = new Map(streams.map(({ id, name }) => [id, name]));
      const alike = (await everySession(step)).filter(
        ({ parentId }) => names.get(parentId) === names.get(step.id),
      );
      return asOwn(step, alike);
    }),
  ),
  'list-shows-unrecorded-beside-recorded': breaks(
    'LIST-3',
    rewriteList(async (sessions, { read }) =>
      sessions.some(({ record }) => record) ? read('sessions') : sessions,
    ),
  ),
  'list-shows-unrecorded-while-live': breaks(
    'LIST-3',
    rewriteList(async (sessions, { read }) => {
      const all = (await read<Session[]>('sessions')) ?? [];
      return all.filter(({ isActive, id }) => isActive || sessions.some((one) => one.id === id));
    }),
  ),
  'list-finds-beginnings-of-ids': breaks(
    'LIST-20',
    rewriteResponse('list', async ({ status }, { id, read, ask }) => {
      if (status !== 404) return undefined;
      const streams = (await read<Stream[]>('../../stream')) ?? [];
      const found = streams.find((stream) => stream.id.startsWith(id));
      return found && ask('GET', `../${found.id}/sessions?record=1`);
    }),
  ),
  'list-cuts-ids': breaks(
    'LIST-20',
    listByOther(({ id }) => id.slice(0, 36)),
  ),
  'list-takes-playback-id': breaks(
    'LIST-20',
    listByOther(async (step) => (await findStreamBy('playbackId', step))?.id),
  ),
  'list-takes-stream-key': breaks(
    'LIST-20',
    listByOther(async (step) => (await findStreamBy('streamKey', step))?.id),
  ),
  'list-takes-session-id': breaks(
    'LIST-20',
    listByOther(async ({ id, read }) => (await read<Session>(`../../session/${id}`))?.parentId),
  ),
  'list-repeats-unready-sessions': breaks(
    'LIST-5',
    rewriteList((sessions) =>
      sessions.flatMap((session) =>
        session.recordingStatus === 'ready' ? [session] : [session, session],
      ),
    ),
  ),
  'list-shows-older-session-as-parent': breaks(
    'LIST-2',
    rewriteLaterSessions((_, { id }) => ({ parentId: id })),
  ),
  'list-numbers-later-sessions': breaks(
    'LIST-6',
    rewriteLaterSessions((_, __, index) => ({ id: index })),
  ),
  'list-omits-later-record': breaks(
    'LIST-7',
    rewriteLaterSessions(() => ({ record: undefined })),
  ),
  'list-shows-later-status-as-number': breaks(
    'LIST-8',
    rewriteLaterSessions(() => ({ recordingStatus: 1 })),
  ),
  'list-dates-later-sessions-in-seconds': breaks(
    'LIST-9',
    rewriteLaterSessions(({ createdAt }) => ({ createdAt: Math.floor(createdAt / 1000) })),
  ),
  'list-omits-later-profiles': breaks(
    'LIST-10',
    rewriteLaterSessions(() => ({ profiles: undefined })),
  ),
  'ready-omits-later-recording-url': breaks(
    'LIST-12',
    rewriteLaterSessions(() => ({ recordingUrl: undefined })),
  ),
  'ready-omits-later-mp4-url': breaks(
    'LIST-13',
    rewriteLaterSessions(() => ({ mp4URL: undefined })),
  ),
  'ready-shows-no-later-duration': breaks(
    'LIST-14',
    rewriteLaterSessions(() => ({ sourceSegmentsDuration: 0 })),
  ),
  'list-forgets-every-other-time': breaks('LIST-5', (next) => {
    const counts = new Map<string, number>();
    return rewriteList((sessions, { id }) => {
      if (sessions.length < 2) return sessions;
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      return count % 2 === 0 ? sessions.slice(1) : sessions;
    })(next);
  }),
  'start-loses-session-during-processing': breaks(
    'LIST-17',
    loseUnlisted((earlier, begun) => (earlier.length > 0 ? [begun] : [])),
  ),
  'start-loses-sessions-in-processing': breaks(
    'LIST-17',
    loseUnlisted((earlier) => earlier),
  ),
  'ready-waits-again-when-session-begins': breaks('LIST-22', (next) => {
    const listedIds = new Set<string>();
    return rewriteList((sessions) => {
      const hasNew = sessions.some(({ id }) => !listedIds.has(id));
      const shown = sessions.map((session) =>
        hasNew && listedIds.has(session.id) ? { ...session, recordingStatus: 'waiting' } : session,
      );
      for (const { id } of sessions) listedIds.add(id);
      return shown;
    })(next);
  }),
  'ready-waits-again-for-ever': breaks(
    'LIST-22',
    rewriteList((sessions) =>
      sessions.map((session, index) =>
        index === 0 ? session : { ...session, recordingStatus: 'waiting' },
      ),
    ),
  ),
  'list-moves-dates': breaks('LIST-23', (next) => {
    let count = 0;
    return rewriteList((sessions) => {
      count += 1;
      const later = (count % 2) * 300;
      return sessions.map((session) => ({ ...session, createdAt: session.createdAt + later }));
    })(next);
  }),
  'list-renames-sessions': breaks(
    'LIST-5',
    rewriteSessions('id', () => crypto.randomUUID()),
  ),
  'ready-renames-sessions': breaks('LIST-5', (next) => {
    const listedIds = new Set<string>();
    return rewriteList((sessions) =>
      sessions.map((session) => {
        if (listedIds.has(session.id)) return { ...session, id: `${session.id}-ready` };
        listedIds.add(session.id);
        return { ...session, recordingStatus: 'waiting' };
      }),
    )(next);
  }),
  'start-makes-ids-from-clock': breaks(
    'LIST-5',
    together(
      rewriteJson<Session>('start', (session) => ({ ...session, id: idFromClock(session) })),
      rewriteSessions('id', (_, session) => idFromClock(session)),
    ),
  ),
};

const smallProfile = { name: '240p', bitrate: 250_000, fps: 30, width: 426, height: 240 };

/**
 * Leaves sessions out of all lists when another one of their stream begins.
 * @param choose chooses them from the earlier ones that no list has shown yet, as their recordings are being made, and the
 *   one that begins
 */
function loseUnlisted(
  choose: (earlier: readonly string[], begun: string) => readonly string[],
): Rewrite {
  return (next) => {
    const unlisted = new Map<string, readonly string[]>();
    const lost = new Set<string>();
    return together(
      rewriteJson<Session>('start', (session, { id }) => {
        const earlier = unlisted.get(id) ?? [];
        for (const chosen of choose(earlier, session.id)) lost.add(chosen);
        unlisted.set(id, [...earlier, session.id]);
        return session;
      }),
      rewriteList((sessions, { id }) => {
        unlisted.delete(id);
        return sessions.filter((session) => !lost.has(session.id));
      }),
    )(next);
  };
}

/** Changes every session of a stream but its first. */
function rewriteLaterSessions(
  change: (session: Session, first: Session, index: number) => object,
): Rewrite {
  return rewriteList((sessions) => {
    const first = sessions.at(-1);
    return sessions.map((session, index) =>
      first === undefined || session === first
        ? session
        : { ...session, ...change(session, first, index) },
    );
  });
}

/** Lists the sessions of the stream whose id `findId` makes of a request. */
function listByOther(
  findId: (step: Step) => string | undefined | Promise<string | undefined>,
): Rewrite {
  return on('list', async (step) => {
    const found = await findId(step);
    const isOther = found !== undefined && found !== step.id;
    return isOther ? step.ask('GET', `../${found}/sessions?record=1`) : undefined;
  });
}

function idFromClock({ createdAt, sourceSegmentsDuration }: Session): string {
  // Sessions that begin together must not differ by the milliseconds of a busy machine.
  return `session-${Math.floor(createdAt / 10_000) + sourceSegmentsDuration}`;
}

function endInNull(least: number): Rewrite {
  return rewriteList((sessions) => (sessions.length < least ? sessions : [...sessions, null]));
}

/** Replaces lists without sessions. */
function whenEmpty(replace: (step: Step) => Response | Promise<Response>): Rewrite {
  return rewriteResponse('list', async (response, step) =>
    (await isEmpty(response)) ? replace(step) : undefined,
  );
}

async function isEmpty(response: Response): Promise<boolean> {
  return (await response.text()) === '[]';
}

async function everySession({ read }: Step): Promise<Session[]> {
  return (await read<Session[]>('../../session?record=1')) ?? [];
}

/** Sessions as though they belonged to the stream in the request. */
function asOwn({ id }: Step, sessions: readonly Session[]): object[] {
  return sessions.map((session) => ({ ...session, parentId: id }));
}
