import { recommendedProfiles } from '../../interface/ladder.ts';
import type { Fetch, JsonObject } from './mutant.ts';
import { chain, instead, onRequests, type Variant, withText } from './variant.ts';

const list = /^GET \/api\/stream\/[^/]+\/sessions$/;

/** Sessions that are listed in another way. */
export const sessionVariants: Readonly<Record<string, Variant>> = {
  'waiting-first': {
    description: 'A recorded session is listed as waiting at first.',
    make: later(2, (session) => withoutAddresses(session, 'waiting')),
  },
  'processing-first': {
    description: 'A recorded session is listed as processing at first.',
    make: later(3, (session) => withoutAddresses(session, 'processing')),
  },
  'statusless-first': {
    description: 'A recorded session is listed without recordingStatus until it is ready.',
    make: later(2, (session) => withoutAddresses(session, undefined)),
  },
  'addressed-first': {
    description: 'A recorded session has its addresses before it is ready.',
    make: later(2, (session) => ({ ...session, recordingStatus: 'processing' })),
  },
  'listed-late': {
    description: 'A recorded session is not listed until it is ready.',
    make: later(3, () => undefined),
  },
  'records-by-default': {
    description: 'A new stream records unless recording is turned off.',
    make: instead(/^POST \/api\/stream$/, async (request, next) => {
      const response = await next(request.clone());
      const { record } = await request
        .clone()
        .json()
        .catch(() => ({}));
      if (!response.ok || record !== undefined) return response;
      const stream = (await response.json()) as JsonObject;
      const { url, headers } = request;
      const body = JSON.stringify({ record: true });
      await next(new Request(`${url}/${stream['id']}/record`, { method: 'PATCH', headers, body }));
      return withText(response, JSON.stringify({ ...stream, record: true }));
    }),
  },
  'oldest-first': {
    description: 'Sessions are listed with the oldest first.',
    make: onRequests(list, async (response) =>
      response.ok
        ? withText(response, JSON.stringify(((await response.json()) as JsonObject[]).reverse()))
        : response,
    ),
    prepare: recordThree,
  },
  'pages-of-one': {
    description: 'A page of a list has one session, and a Link to the next.',
    make: (next) => olderUnready(paged(1)(next)),
    prepare: recordThree,
  },
  'pages-of-two': {
    description: 'A page of a list has two sessions, and a Link to the next.',
    make: paged(2),
  },
  'pages-by-cursor': {
    description: 'A page of a list has two sessions, and a non-standard header leads to the next.',
    make: chain(
      paged(2),
      onRequests(list, (response) => {
        const headers = new Headers(response.headers);
        const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
        headers.delete('link');
        if (cursor !== undefined) headers.set('x-next-cursor', cursor);
        return new Response(response.body, { status: response.status, headers });
      }),
    ),
    open: ['LIST-17'],
  },
  'end-lags': {
    description:
      'A session ends some time after its encoder: until then it is waiting, and switching is refused.',
    make: endsLate(300),
  },
  'start-shows-nothing': {
    description: 'The control API does not show the session that it has begun.',
    make: onRequests(/^POST \/_mock\/streams\/[^/]+\/start$/, (response) =>
      response.ok ? withText(response, '{}') : response,
    ),
  },
  'processing-beside-ready': {
    description: 'A stream has a ready session and others that are still processing.',
    make: olderUnready,
    prepare: recordThree,
  },
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
};

/** Shows each session of a list differently in the first `times` lists. */
function later(
  times: number,
  early: (session: JsonObject) => JsonObject | undefined,
): (next: Fetch) => Fetch {
  return (next) => {
    const seen = new Map<unknown, number>();
    return onRequests(list, async (response) => {
      if (!response.ok) return response;
      const sessions = ((await response.json()) as JsonObject[]).map((session) => {
        const count = (seen.get(session['id']) ?? 0) + 1;
        seen.set(session['id'], count);
        return count > times ? session : early(session);
      });
      return withText(
        response,
        JSON.stringify(sessions.filter((session) => session !== undefined)),
      );
    })(next);
  };
}

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

function paged(limit: number): (next: Fetch) => Fetch {
  return instead(list, ({ url, headers }, next) => {
    const page = new URL(url);
    page.searchParams.set('limit', String(limit));
    return next(new Request(page, { headers }));
  });
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
