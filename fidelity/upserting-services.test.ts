import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { run } from '../conformance/run-suite.ts';
import { standingClock } from './clock.test-support.ts';
import { compare } from './compare/compare.ts';
import { learn } from './learn/learn.ts';

interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly text: string;
}

interface Stream {
  readonly id: string;
  readonly name: unknown;
  readonly createdAt: unknown;
  record: boolean;
}

/** How a service differs from one that always creates a stream. */
interface Ways {
  /** The stream that a creation finds instead of making a new one. */
  readonly finds?: (
    streams: readonly Stream[],
    name: unknown,
    creations: number,
  ) => Stream | undefined;
  readonly lists?: 'none' | 'incomplete';
  readonly showsName?: (name: unknown) => unknown;
  readonly showsTime?: (time: number) => unknown;
  readonly makesId?: (count: number) => string;
}

const hour = 3_600_000;
/** The names of a careful colleague: those that the tools ask for. */
const names = ['conformance', 'learn', 'compared', 'recorded', 'Plain', '', undefined];

/** A small service on which a colleague has streams. */
function serviceThat(ways: Ways) {
  const { showsName = (name) => name, showsTime = (time) => time } = ways;
  const makesId = ways.makesId ?? (() => randomUUID());
  const colleagues = names.map(
    (name): Stream => ({ id: randomUUID(), name, createdAt: Date.now() - hour, record: true }),
  );
  const streams = [...colleagues];
  const writes: string[] = [];
  let creations = 0;
  const respond = (status: number, body?: unknown, headers: Record<string, string> = {}) =>
    new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { date: new Date().toUTCString(), 'content-type': 'application/json', ...headers },
    });
  const create = (text: string): Response => {
    let body: { name?: unknown } | null;
    try {
      body = JSON.parse(text);
    } catch {
      return respond(400);
    }
    if (typeof body !== 'object' || body === null) return respond(400);
    creations += 1;
    const found = ways.finds?.(streams, body.name, creations);
    if (found !== undefined) return respond(201, found);
    const id = makesId(creations);
    const createdAt = showsTime(Date.now());
    const stream: Stream = { id, name: showsName(body.name), createdAt, record: false };
    streams.push(stream);
    return respond(201, { ...stream, streamKey: 'abcd-ef01-2345-6789', playbackId: `of-${id}` });
  };
  const list = (): Response => {
    // The colleague's streams are on a later page, to which nothing points.
    return ways.lists === 'incomplete' ? respond(200, []) : respond(404);
  };
  const use = (method: string, stream: Stream, below: string | undefined): Response => {
    if (method === 'GET') return respond(200, below === 'sessions' ? [] : stream);
    if (method === 'DELETE' && below !== undefined) return respond(404);
    writes.push(stream.id);
    if (method === 'DELETE') streams.splice(streams.indexOf(stream), 1);
    return respond(204);
  };
  const send = ({ method, url, text }: SentRequest): Response => {
    const [, , , id, rest] = new URL(url).pathname.split('/');
    if (id === undefined && method === 'POST') return create(text);
    if (id === undefined && method === 'GET') return list();
    const stream = streams.find((one) => one.id === id);
    return stream === undefined ? respond(404) : use(method, stream, rest);
  };
  return {
    send: async (request: Request) =>
      send({ method: request.method, url: request.url, text: await request.text() }),
    foreignWrites: () => writes.filter((id) => colleagues.some((one) => one.id === id)),
    left: () => streams.slice(colleagues.length).map(({ id }) => id),
  };
}

/** Every request takes 10 ms, on a clock that moves only then and when somebody waits. */
function timed(options: Given) {
  const clock = standingClock(Date.now());
  const send: Given['send'] = (request) => clock.pause(10).then(() => options.send(request));
  return { ...options, ...clock, send };
}

const tools = {
  check: (given: Given) => run(given),
  learn: (given: Given) => learn({ ...timed(given), streams: 3 }),
  compare: (given: Given) => compare({ ...timed(given), time: 500 }),
} as const;
type Given = ReturnType<typeof given>;

function given({ send }: ReturnType<typeof serviceThat>) {
  return { baseUrl: 'http://service.test/api', apiKey: 'test-a', patience: 100, send };
}

const every = Object.keys(tools) as (keyof typeof tools)[];
const finders: Readonly<Record<string, Ways['finds']>> = {
  'a stream of the same name': (streams, name) => streams.find((one) => one.name === name),
  'a stream whose name is the same in lower case, without spaces': (streams, name) =>
    streams.find((one) => plain(one.name) === plain(name)),
  'the only stream of the key': ([first]) => first,
  'a stream of a colleague, each time another': (streams, _, count) =>
    streams[count % names.length],
  'a stream of a colleague, from the third time on': ([first], _, count) =>
    count > 2 ? first : undefined,
  'a stream of the same name, which is dated today': (streams, name) => {
    const found = streams.find((one) => one.name === name);
    return found && { ...found, createdAt: Date.now() };
  },
};

function plain(name: unknown): string {
  return String(name).toLowerCase().replaceAll(' ', '');
}

const rows = every.flatMap((tool) =>
  Object.keys(finders).flatMap((finder) =>
    (['none', 'incomplete'] as const).map((lists) => ({ tool, finder, lists })),
  ),
);

describe('a stream of a colleague is not touched where a creation finds', () => {
  test.for(rows)('$finder: $tool, lists: $lists', async ({ tool, finder, lists }) => {
    const finds = finders[finder];
    const service = serviceThat({ lists, ...(finds && { finds }) });
    const { leftBehind } = await tools[tool](given(service));
    expect(service.foreignWrites()).toEqual([]);
    for (const id of service.left()) expect(leftBehind.join('\n')).toContain(id);
  });
});

const mangling: Readonly<Record<string, Ways>> = {
  'trims names': { showsName: (name) => String(name).trim() },
  'cuts names': { showsName: (name) => String(name).slice(0, 8) },
  'shows no names': { showsName: () => undefined },
  'dates in seconds': { showsTime: (time) => Math.floor(time / 1_000) },
  'dates as text': { showsTime: (time) => new Date(time).toISOString() },
  'numbers its streams': { makesId: (count) => String(count + 100) },
};

describe('a service leaves nothing behind that', () => {
  test.for(every.flatMap((tool) => Object.keys(mangling).map((way) => ({ tool, way }))))(
    '$way: $tool',
    async ({ tool, way }) => {
      const service = serviceThat(mangling[way] ?? {});
      const { leftBehind } = await tools[tool](given(service));
      expect([leftBehind, service.left()]).toEqual([[], []]);
    },
  );
});

test.for(every)(
  'an id that differs only in letter case is that of the same stream: %s',
  async (tool) => {
    const service = serviceThat({ makesId: (count) => (count % 2 === 0 ? 'Same' : 'sAME') });
    const { leftBehind } = await tools[tool](given(service));
    expect(service.left().length).toBeGreaterThan(0);
    expect(leftBehind.join('\n')).toContain('another creation returned the same id');
  },
);
