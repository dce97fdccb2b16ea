import {
  ask,
  type JsonObject,
  type Mutant,
  onOperation,
  refuse,
  rewriteJson,
  rewriteResponse,
  rewriteSessions,
  withJson,
} from './mutant.ts';

/** Mutants of listing recorded sessions. */
export const listMutants: Readonly<Record<string, Mutant>> = {
  'list-answers-404-when-empty': {
    description: 'A list without sessions answers with status 404.',
    make: whenEmpty(() => refuse(404, 'no sessions')),
  },
  'list-answers-204-when-empty': {
    description: 'A list without sessions answers with status 204.',
    make: whenEmpty(() => new Response(null, { status: 204 })),
  },
  'list-answers-null-when-empty': {
    description: 'A list without sessions is null.',
    make: whenEmpty(() => Response.json(null)),
  },
  'list-fails-when-not-empty': {
    description: 'A list with sessions answers with status 500.',
    make: rewriteResponse('list', async (response) =>
      !response.ok || (await response.clone().text()) === '[]'
        ? undefined
        : refuse(500, 'cannot list'),
    ),
  },
  'list-wraps-array-when-not-empty': {
    description: 'A list with sessions is wrapped in an object.',
    make: rewriteJson(
      'list',
      () => (sessions) =>
        Array.isArray(sessions) && sessions.length > 0 ? { data: sessions } : undefined,
    ),
  },
  'list-wraps-array': {
    description: 'The list is wrapped in an object.',
    make: rewriteJson('list', () => (sessions) => ({ data: sessions })),
  },
  'list-omits-parent-id': {
    description: 'Listed sessions have no parentId.',
    make: rewriteSessions(() => ({ parentId: undefined })),
  },
  'list-shows-own-id-as-parent': {
    description: "parentId of a listed session is the session's own id.",
    make: rewriteSessions(({ id }) => ({ parentId: id })),
  },
  'list-shows-unrecorded-sessions': {
    description: 'record=1 does not restrict the list.',
    make: onOperation('list', () => ({ request, next, applied }) => {
      applied();
      const url = new URL(request.url);
      url.searchParams.delete('record');
      return next(ask(request, 'GET', url.href));
    }),
  },
  'list-shows-every-session': {
    description:
      'The list has the recorded sessions of every stream, with its own id as their parentId.',
    make: onOperation('list', () => async ({ request, id, next, applied }) => {
      const response = await next(ask(request, 'GET', '../../session?record=1'));
      if (!response.ok) return response;
      applied();
      const sessions = (await response.json()) as JsonObject[];
      return Response.json(sessions.map((session) => ({ ...session, parentId: id })));
    }),
  },
  'list-shows-sessions-by-name': {
    description: 'The list has the recorded sessions of every stream of the same name.',
    make: (next, applied) => {
      const names = new Map<unknown, unknown>();
      const created = rewriteJson('create', () => (stream) => {
        names.set((stream as JsonObject)['id'], (stream as JsonObject)['name']);
      })(next, applied);
      return rewriteResponse('list', async (response, { request, id }) => {
        const list = await next(ask(request, 'GET', '../../session?record=1'));
        if (!response.ok || !list.ok || !names.has(id)) return undefined;
        const sessions = ((await list.json()) as JsonObject[]).filter(
          ({ parentId }) => names.get(parentId) === names.get(id),
        );
        if (sessions.every(({ parentId }) => parentId === id)) return undefined;
        return withJson(
          response,
          sessions.map((session) => ({ ...session, parentId: id })),
        );
      })(created, applied);
    },
  },
  'list-fills-empty-list': {
    description: 'A stream without recorded sessions lists those of every stream.',
    make: rewriteResponse('list', async (response, { request, next }) =>
      response.ok && (await response.clone().text()) === '[]'
        ? next(ask(request, 'GET', '../../session?record=1'))
        : undefined,
    ),
  },
  'list-ends-in-null': {
    description: 'The last element of a list with sessions is null.',
    make: endInNull(1),
  },
  'list-of-two-ends-in-null': {
    description: 'The last element of a list with two sessions or more is null.',
    make: endInNull(2),
  },
  'list-forgets-every-other-time': {
    description: 'Every other list of a stream with two sessions or more lacks its newest one.',
    make: rewriteJson('list', () => {
      const counts = new Map<unknown, number>();
      return (sessions) => {
        const all = sessions as JsonObject[];
        const id = all[1]?.['parentId'];
        counts.set(id, (counts.get(id) ?? 0) + 1);
        return id && (counts.get(id) ?? 0) % 2 === 0 ? all.slice(1) : undefined;
      };
    }),
  },
  'ready-renames-sessions': {
    description: 'A session that is ready has another id than before.',
    make: rewriteJson('list', () => {
      const seen = new Set<unknown>();
      return (sessions) =>
        ofEach(sessions, (session) => {
          const { id } = session;
          if (seen.has(id)) return { ...session, id: `${id}-ready` };
          seen.add(id);
          return { ...session, recordingStatus: 'waiting' };
        });
    }),
  },
  'list-renames-sessions': {
    description: 'Sessions have a different id in every list.',
    make: rewriteJson('list', () => {
      let lists = 0;
      return (sessions) => {
        lists += 1;
        return ofEach(sessions, (session) => ({ ...session, id: `${session['id']}-${lists}` }));
      };
    }),
  },
  'list-repeats-sessions': {
    description: 'Every session is listed twice.',
    make: rewriteJson('list', () => (sessions) => {
      const all = sessions as JsonObject[];
      return all.length === 0 ? undefined : all.flatMap((session) => [session, session]);
    }),
  },
  'list-shows-newest-only': {
    description: 'The list has only the newest session.',
    make: shorten((sessions) => sessions.slice(0, 1)),
  },
  'list-shows-oldest-only': {
    description: 'The list has only the oldest session.',
    make: shorten((sessions) => sessions.slice(-1)),
  },
  'list-shows-two-at-most': {
    description: 'The list has only the two newest sessions.',
    make: shorten((sessions) => sessions.slice(0, 2)),
  },
  'start-makes-ids-from-clock': {
    description: 'The id of a session is the millisecond in which it began.',
    make: (next, applied) => {
      const ids = new Map<unknown, string>();
      const started = onOperation('start', () => async (step) => {
        const id = `session-${Date.now()}`;
        const response = await step.next(step.request);
        if (!response.ok) return response;
        const session = (await response.json()) as JsonObject;
        ids.set(session['id'], id);
        step.applied();
        return withJson(response, { ...session, id });
      })(next, applied);
      return rewriteSessions(({ id }) => ({ id: ids.get(id) ?? id }))(started, applied);
    },
  },
  'list-shouts-status': {
    description: 'recordingStatus of a session that is available is READY.',
    make: rewriteReady(() => ({ recordingStatus: 'READY' })),
  },
  'list-leaves-status-waiting': {
    description: 'recordingStatus stays waiting when the recording is available.',
    make: rewriteReady(() => ({ recordingStatus: 'waiting' })),
  },
  'list-numbers-sessions': {
    description: 'id of a session is a number.',
    make: rewriteSessions(({ id }) => ({ id: Number.parseInt(String(id).slice(0, 8), 16) })),
  },
  'list-omits-record': {
    description: 'Listed sessions have no record.',
    make: rewriteSessions(() => ({ record: undefined })),
  },
  'list-shows-record-as-number': {
    description: 'record of a listed session is 0 or 1.',
    make: rewriteSessions(({ record }) => ({ record: Number(record) })),
  },
  'list-shows-status-as-boolean': {
    description: 'recordingStatus is true or false.',
    make: rewriteSessions(({ recordingStatus }) => ({
      recordingStatus: recordingStatus === 'ready',
    })),
  },
  'list-omits-status': {
    description: 'Listed sessions have no recordingStatus.',
    make: rewriteSessions(() => ({ recordingStatus: undefined })),
  },
  'list-dates-in-seconds': {
    description: 'createdAt of a session is in seconds.',
    make: rewriteSessions(({ createdAt }) => ({ createdAt: Math.floor(Number(createdAt) / 1000) })),
  },
  'list-dates-in-microseconds': {
    description: 'createdAt of a session is in microseconds.',
    make: rewriteSessions(({ createdAt }) => ({ createdAt: Number(createdAt) * 1000 })),
  },
  'list-dates-as-text': {
    description: 'createdAt of a session is an ISO 8601 string.',
    make: rewriteSessions(({ createdAt }) => ({
      createdAt: new Date(Number(createdAt)).toISOString(),
    })),
  },
  'list-omits-profiles': {
    description: 'Listed sessions have no profiles.',
    make: rewriteSessions(() => ({ profiles: undefined })),
  },
  'list-names-profiles': {
    description: 'profiles of a listed session are only their names.',
    make: rewriteSessions(({ profiles }) => ({
      profiles: (profiles as JsonObject[]).map(({ name }) => name),
    })),
  },
  'list-drops-inherited-profiles': {
    description: 'Sessions begin without profiles.',
    make: rewriteSessions(() => ({ profiles: [] })),
  },
  'list-invents-profiles': {
    description: 'Sessions of a stream without profiles have default ones.',
    make: rewriteSessions(({ profiles }) =>
      (profiles as JsonObject[]).length > 0
        ? undefined
        : { profiles: [{ name: '240p', bitrate: 250_000, fps: 30, width: 426, height: 240 }] },
    ),
  },
  'ready-omits-recording-url': {
    description: 'A ready session has no recordingUrl.',
    make: rewriteReady(() => ({ recordingUrl: undefined })),
  },
  'ready-shows-relative-recording-url': {
    description: 'recordingUrl is a path without scheme and host.',
    make: rewriteReady(({ recordingUrl }) => ({
      recordingUrl: new URL(String(recordingUrl)).pathname,
    })),
  },
  'ready-spells-mp4-url-differently': {
    description: 'The address of the MP4 is only in mp4Url.',
    make: rewriteReady(() => ({ mp4URL: undefined })),
  },
  'ready-shows-duration-as-text': {
    description: 'sourceSegmentsDuration is a string.',
    make: rewriteReady(({ sourceSegmentsDuration }) => ({
      sourceSegmentsDuration: String(sourceSegmentsDuration),
    })),
  },
  'ready-omits-duration': {
    description: 'A ready session has no sourceSegmentsDuration.',
    make: rewriteReady(() => ({ sourceSegmentsDuration: undefined })),
  },
  'ready-shows-no-duration': {
    description: 'sourceSegmentsDuration stays 0.',
    make: rewriteReady(() => ({ sourceSegmentsDuration: 0 })),
  },
  'ready-names-playlist-differently': {
    description: 'recordingUrl ends in master.m3u8.',
    make: (next, applied) => {
      // The mock serves the playlist only under its own name.
      const listed = rewriteReady(({ recordingUrl }) => ({
        recordingUrl: String(recordingUrl).replace(/index\.m3u8$/, 'master.m3u8'),
      }))(next, applied);
      return (request) =>
        request.url.endsWith('/master.m3u8')
          ? next(ask(request, request.method, 'index.m3u8'))
          : listed(request);
    },
  },
};

function whenEmpty(replace: () => Response): Mutant['make'] {
  return rewriteResponse('list', async (listed) => {
    if (!listed.ok) return undefined;
    const sessions = (await listed.clone().json()) as JsonObject[];
    return sessions.length === 0 ? replace() : undefined;
  });
}

function rewriteReady(change: (session: JsonObject) => JsonObject): Mutant['make'] {
  return rewriteSessions((session) =>
    session['recordingStatus'] === 'ready' ? change(session) : undefined,
  );
}

function endInNull(least: number): Mutant['make'] {
  return rewriteJson('list', () => (sessions) => {
    const all = sessions as JsonObject[];
    return all.length < least ? undefined : [...all, null];
  });
}

function shorten(change: (sessions: JsonObject[]) => JsonObject[]): Mutant['make'] {
  return rewriteJson('list', () => (sessions) => {
    const all = sessions as JsonObject[];
    const shown = change(all);
    return shown.length === all.length ? undefined : shown;
  });
}

function ofEach(sessions: unknown, change: (session: JsonObject) => JsonObject): unknown {
  const all = sessions as JsonObject[];
  return all.length === 0 ? undefined : all.map(change);
}
