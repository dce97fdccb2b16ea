import { recommendedProfiles } from '../../interface/ladder.ts';
import type { Fetch, JsonObject } from './rewrite.ts';
import { chain, inexpressible, instead, onRequests, type Variant, withText } from './variant.ts';

/** Milliseconds until a late recording is ready. */
const late = 100;
const list = /^GET \/api\/stream\/[^/]+\/sessions$/;

/** Sessions that are listed in another way. */
export const sessionVariants: Readonly<Record<string, Variant>> = {
  'waiting-first': {
    description: 'A recorded session is listed as waiting at first.',
    dialect: { behaviours: { 'time.ready': late } },
  },
  'processing-first': {
    description: 'A recorded session is listed as processing at first.',
    dialect: { behaviours: { 'time.ready': late, 'sessions.status-before-ready': 'processing' } },
  },
  'statusless-first': {
    description: 'A recorded session is listed without recordingStatus until it is ready.',
    dialect: { behaviours: { 'time.ready': late, 'sessions.status-before-ready': null } },
  },
  'addressed-first': {
    description: 'A recorded session has its addresses before it is ready.',
    dialect: {
      behaviours: {
        'time.ready': late,
        'sessions.status-before-ready': 'processing',
        'sessions.addresses-before-ready': 'present',
      },
    },
  },
  'listed-late': {
    description: 'A recorded session is not listed until it is ready.',
    dialect: {
      behaviours: {
        'time.ready': late,
        'sessions.appear': { listSessionsOfStream: 'when-ready', listSessions: 'when-ready' },
      },
    },
  },
  'records-by-default': {
    description: 'A new stream records unless recording is turned off.',
    dialect: { behaviours: { 'record.default': true } },
  },
  'oldest-first': {
    description: 'Sessions are listed with the oldest first.',
    dialect: { behaviours: { 'list.order': { listSessionsOfStream: 'oldest-first' } } },
    prepare: recordThree,
  },
  'pages-of-one': {
    description: 'A page of a list has one session, and a Link to the next.',
    dialect: { behaviours: { 'list.page-size': { listSessionsOfStream: 1 } } },
    prepare: recordThree,
  },
  'pages-of-two': {
    description: 'A page of a list has two sessions, and a Link to the next.',
    dialect: { behaviours: { 'list.page-size': { listSessionsOfStream: 2 } } },
  },
  'pages-by-cursor': {
    description: 'A page of a list has two sessions, and a non-standard header leads to the next.',
    inexpressible: 'A dialect has short pages only where a Link leads on.',
    make: pageByCursor,
    open: ['LIST-17'],
  },
  'end-lags': {
    description:
      'A session ends some time after its encoder: until then it is waiting, and switching is refused.',
    inexpressible: 'No dialect says how long after its encoder a session ends.',
    make: endsLate(300),
  },
  'live-switch-accepted': {
    description: 'Recording may be switched while the stream is live.',
    dialect: { refusals: { setRecord: { 'state:live': 'accepted' } } },
  },
  'start-shows-nothing': {
    description: 'The control API does not show the session that it has begun.',
    inexpressible: 'The control API is no part of the interface.',
    make: onRequests(/^POST \/_mock\/streams\/[^/]+\/start$/, (response) =>
      response.ok ? withText(response, '{}') : response,
    ),
  },
  'processing-beside-ready': {
    description: 'A stream has a ready session and others that are still processing.',
    inexpressible: 'No dialect tells the sessions of one stream apart.',
    make: olderUnready,
    prepare: recordThree,
  },
  ...inexpressible('No dialect says how exact a duration is.', {
    'duration-whole': {
      description: 'sourceSegmentsDuration is an integer, about a second more than the recording.',
      make: duration((seconds) => Math.ceil(seconds) + 1),
    },
    'duration-fractional': {
      description: 'sourceSegmentsDuration is fractional.',
      make: duration((seconds) => seconds + 0.0213),
    },
    'duration-longer': {
      description: 'sourceSegmentsDuration includes part of a segment that the recording has lost.',
      make: duration((seconds) => seconds + 1.75),
    },
    'duration-shorter': {
      description: 'sourceSegmentsDuration excludes the last, incomplete segment.',
      make: duration((seconds) => seconds - 1.6),
    },
  }),
};

function withoutAddresses(session: JsonObject, status: string | undefined): JsonObject {
  const { recordingUrl, mp4URL, mp4Url, ...rest } = session;
  return { ...rest, recordingStatus: status };
}

/** Only the first session on the first page is ready. */
function olderUnready(next: Fetch): Fetch {
  return onRequests(list, async (response, { url }) => {
    if (!response.ok) return response;
    const first = !new URL(url).searchParams.has('cursor');
    const sessions = ((await response.json()) as JsonObject[]).map((session, index) =>
      first && index === 0 ? session : withoutAddresses(session, 'processing'),
    );
    return withText(response, JSON.stringify(sessions));
  })(next);
}

/** A stream stays live for some milliseconds after the control API has ended its session. */
function endsLate(milliseconds: number): (next: Fetch) => Fetch {
  return (next) => {
    const ends = new Map<unknown, number>();
    const isLive = (id: unknown): boolean => Date.now() < (ends.get(id) ?? 0);
    return chain(
      instead(/^PATCH \/api\/stream\/[^/]+\/record$/, (request, inner) =>
        isLive(request.url.split('/').at(-2))
          ? Response.json({ errors: ['record: the stream is live'] }, { status: 409 })
          : inner(request),
      ),
      onRequests(/^POST \/_mock\/streams\/[^/]+\/st(art|op)$/, (response, { url }) => {
        if (response.ok) ends.set(url.split('/').at(-2), Date.now() + milliseconds);
        return response;
      }),
      onRequests(list, async (response) => {
        if (!response.ok) return response;
        const sessions = ((await response.json()) as JsonObject[]).map((session) =>
          isLive(session['parentId']) ? withoutAddresses(session, 'waiting') : session,
        );
        return withText(response, JSON.stringify(sessions));
      }),
    )(next);
  };
}

async function recordThree(world: Parameters<NonNullable<Variant['prepare']>>[0]): Promise<string> {
  const { id } = await world.createStream({ name: 'given', profiles: recommendedProfiles });
  await world.setRecord(id, true);
  for (const length of [4, 8, 12]) await world.start(id, { duration: length });
  return id;
}

function duration(change: (seconds: number) => number): (next: Fetch) => Fetch {
  return onRequests(list, async (response) => {
    if (!response.ok) return response;
    const sessions = ((await response.json()) as JsonObject[]).map((session) => ({
      ...session,
      sourceSegmentsDuration: change(Number(session['sourceSegmentsDuration'])),
    }));
    return withText(response, JSON.stringify(sessions));
  });
}

/** Lists two sessions to a page, and names the next page in a header that the interface does not know. */
function pageByCursor(next: Fetch): Fetch {
  return async (request) => {
    const url = new URL(request.url);
    if (!list.test(`${request.method} ${url.pathname}`)) return next(request);
    url.searchParams.set('limit', '2');
    const response = await next(new Request(url, request));
    const [, target = ''] = /<([^>]*)>/.exec(response.headers.get('link') ?? '') ?? [];
    const headers = new Headers(response.headers);
    headers.delete('link');
    const cursor = new URL(target, url).searchParams.get('cursor');
    if (target !== '' && cursor !== null) headers.set('x-next-cursor', cursor);
    return new Response(response.body, { status: response.status, headers });
  };
}
