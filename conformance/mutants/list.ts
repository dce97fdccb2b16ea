import type { Session } from '../../interface/types.ts';
import {
  empty,
  type Mutants,
  on,
  type Rewrite,
  refuse,
  remembering,
  rewriteList,
  rewriteReadyField,
  rewriteResponse,
  rewriteSessionField,
  rewriteSessions,
  rewriteStream,
  type Step,
  toDateText,
  together,
  toNothing,
  toSeconds,
  withJson,
} from './rewrite.ts';

/** Mutants of listing recorded sessions. */
export const listMutants: Mutants = {
  'list-answers-404-when-empty': whenEmpty(() => refuse(404, 'no sessions')),
  'list-answers-204-when-empty': whenEmpty(() => empty(204)),
  'list-answers-null-when-empty': whenEmpty(() => Response.json(null)),
  'list-fills-empty-list': whenEmpty(({ ask }) => ask('GET', '../../session?record=1')),
  'list-fails-when-not-empty': rewriteResponse('list', async (response) =>
    !response.ok || (await isEmpty(response)) ? undefined : refuse(500, 'cannot list'),
  ),
  'list-wraps-array': rewriteList((data) => ({ data })),
  'list-wraps-array-when-not-empty': rewriteList((data) => (data.length > 0 ? { data } : data)),
  'list-ends-in-null': endInNull(1),
  'list-of-two-ends-in-null': endInNull(2),
  'list-repeats-sessions': rewriteList((sessions) =>
    sessions.flatMap((session) => [session, session]),
  ),
  'list-shows-newest-only': rewriteList((sessions) => sessions.slice(0, 1)),
  'list-shows-oldest-only': rewriteList((sessions) => sessions.slice(-1)),
  'list-shows-two-at-most': rewriteList((sessions) => sessions.slice(0, 2)),
  'list-omits-parent-id': rewriteSessionField('parentId', toNothing),
  'list-shows-own-id-as-parent': rewriteSessionField('parentId', (_, { id }) => id),
  'list-numbers-sessions': rewriteSessionField('id', (id) =>
    Number.parseInt(`${id}`.slice(0, 8), 16),
  ),
  'list-omits-record': rewriteSessionField('record', toNothing),
  'list-shows-record-as-number': rewriteSessionField('record', Number),
  'list-omits-status': rewriteSessionField('recordingStatus', toNothing),
  'list-shows-status-as-boolean': rewriteSessionField(
    'recordingStatus',
    (status) => status === 'ready',
  ),
  'list-dates-in-seconds': rewriteSessionField('createdAt', toSeconds),
  'list-dates-in-microseconds': rewriteSessionField('createdAt', (time) => Number(time) * 1000),
  'list-dates-as-text': rewriteSessionField('createdAt', toDateText),
  'list-omits-profiles': rewriteSessionField('profiles', toNothing),
  'list-names-profiles': rewriteSessionField('profiles', (_, { profiles }) =>
    profiles.map(({ name }) => name),
  ),
  'list-drops-inherited-profiles': rewriteSessionField('profiles', () => []),
  'list-invents-profiles': rewriteSessionField('profiles', (_, { profiles }) =>
    profiles.length > 0 ? profiles : [smallProfile],
  ),
  'list-shouts-status': rewriteReadyField('recordingStatus', () => 'READY'),
  'list-leaves-status-waiting': rewriteReadyField('recordingStatus', () => 'waiting'),
  'ready-omits-recording-url': rewriteReadyField('recordingUrl', toNothing),
  'ready-shows-relative-recording-url': rewriteReadyField(
    'recordingUrl',
    (address) => new URL(`${address}`).pathname,
  ),
  'ready-spells-mp4-url-differently': rewriteReadyField('mp4URL', toNothing),
  'ready-shows-duration-as-text': rewriteReadyField('sourceSegmentsDuration', String),
  'ready-omits-duration': rewriteReadyField('sourceSegmentsDuration', toNothing),
  'ready-shows-no-duration': rewriteReadyField('sourceSegmentsDuration', () => 0),
  'ready-names-playlist-differently': together(
    // The mock serves the playlist only under its own name.
    on('any playlist', ({ request, ask }) =>
      request.url.endsWith('/master.m3u8') ? ask('GET', 'index.m3u8') : undefined,
    ),
    rewriteReadyField('recordingUrl', (address) => `${address}`.replace('index.', 'master.')),
  ),
  'list-shows-unrecorded-sessions': on('list', ({ request, ask }) => {
    const url = new URL(request.url);
    url.searchParams.delete('record');
    return ask('GET', url.href);
  }),
  'list-shows-every-session': rewriteList(async (_, step) => asOwn(step, await everySession(step))),
  'list-shows-sessions-by-name': remembering(() => {
    const names = new Map<string, string>();
    const noted = rewriteStream(({ id, name }) => {
      names.set(id, name);
      return undefined;
    });
    const listed = rewriteList(async (sessions, step) => {
      const name = names.get(step.id);
      if (name === undefined) return sessions;
      const alike = (await everySession(step)).filter(
        ({ parentId }) => names.get(parentId) === name,
      );
      return asOwn(step, alike);
    });
    return together(noted, listed);
  }),
  'list-forgets-every-other-time': remembering(() => {
    const counts = new Map<string, number>();
    return rewriteList((sessions, { id }) => {
      if (sessions.length < 2) return sessions;
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      return count % 2 === 0 ? sessions.slice(1) : sessions;
    });
  }),
  'list-renames-sessions': remembering(() => {
    let lists = 0;
    return rewriteList((sessions) => {
      lists += 1;
      return sessions.map((session) => ({ ...session, id: `${session.id}-${lists}` }));
    });
  }),
  'ready-renames-sessions': remembering(() => {
    const seen = new Set<string>();
    return rewriteSessions(({ id }) => {
      if (seen.has(id)) return { id: `${id}-ready` };
      seen.add(id);
      return { recordingStatus: 'waiting' };
    });
  }),
  'start-makes-ids-from-clock': remembering(() => {
    const ids = new Map<string, string>();
    const started = on('start', async ({ respond }) => {
      const id = `session-${Date.now()}`;
      const response = await respond();
      if (!response.ok) return undefined;
      const session = (await response.json()) as Session;
      ids.set(session.id, id);
      return withJson(response, { ...session, id });
    });
    return together(
      started,
      rewriteSessionField('id', (_, { id }) => ids.get(id) ?? id),
    );
  }),
};

const smallProfile = { name: '240p', bitrate: 250_000, fps: 30, width: 426, height: 240 };

function endInNull(least: number): Rewrite {
  return rewriteList((sessions) => (sessions.length < least ? sessions : [...sessions, null]));
}

/** Answers instead of a list without sessions. */
function whenEmpty(replace: (step: Step) => Response | Promise<Response>): Rewrite {
  return rewriteResponse('list', async (response, step) =>
    (await isEmpty(response)) ? replace(step) : undefined,
  );
}

async function isEmpty(response: Response): Promise<boolean> {
  return (await response.text()) === '[]';
}

async function everySession({ ask }: Step): Promise<Session[]> {
  return (await (await ask('GET', '../../session?record=1')).json()) as Session[];
}

/** Sessions as though they were of the stream in the request. */
function asOwn({ id }: Step, sessions: readonly Session[]): object[] {
  return sessions.map((session) => ({ ...session, parentId: id }));
}
