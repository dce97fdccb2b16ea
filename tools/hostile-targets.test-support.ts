import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { serveHttp, toRequest } from '../conformance/servers.test-support.ts';
import { createMock } from '../mocks/index.ts';

/** The commands that send requests to a target. */
export type Tool = 'check' | 'learn' | 'compare';

const all: readonly Tool[] = ['check', 'learn', 'compare'];

/** What a mock answers, before a target changes it. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array;
}

/** A request that reached a hostile target. */
interface Asked {
  readonly request: IncomingMessage;
  readonly url: string;
  readonly answer: Answer;
  readonly socket: Socket;
  /** How many requests came before. */
  readonly index: number;
}

/** What a target changes of the right answer; nothing where it writes to the socket itself. */
type Lie = (asked: Asked) => Partial<Answer> | undefined;

/** A target that harms whoever trusts it. */
interface HostileTarget {
  readonly lie: Lie;
  /** The tools that may end with 0: what it does is odd, but legal, or nothing that the tool looks at. */
  readonly mayPass: readonly Tool[];
}

/** Targets by what they do, with the tools that they let pass. */
function letting(
  mayPass: readonly Tool[],
  lies: Readonly<Record<string, Lie>>,
): Record<string, HostileTarget> {
  const targets = Object.entries(lies).map(([does, lie]) => [does, { lie, mayPass }] as const);
  return Object.fromEntries(targets);
}

const json = { 'content-type': 'application/json' };
const megabyte = 1024 * 1024;
const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const random = createRandom();

/** The same numbers from 0 to 1 in each run. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const always =
  (status: number, body: Answer['body'] = '[]', headers: Answer['headers'] = json): Lie =>
  () => ({ status, body, headers });

/** Answers with a body, and the status that was right. */
const says =
  (body: string, headers: Answer['headers'] = json): Lie =>
  () => ({ body, headers });

const raw =
  (text: string | Uint8Array): Lie =>
  ({ socket }) => {
    socket.end(text);
    return undefined;
  };

/** Writes a beginning, and then the same again, until the other side has enough. */
const repeats =
  (before: string, text: string | Uint8Array, pause?: number): Lie =>
  ({ socket }) => {
    socket.write(before);
    const push = (): void => {
      while (!socket.destroyed && socket.write(text)) if (pause !== undefined) return;
    };
    if (pause === undefined) socket.on('drain', push);
    else {
      const timer = setInterval(push, pause);
      socket.on('close', () => clearInterval(timer));
    }
    push();
    return undefined;
  };

type Json = Record<string, unknown>;

/** Changes every object that an answer has. */
const each =
  (change: (object: Json, asked: Asked) => unknown): Lie =>
  (asked) => {
    const { body } = asked.answer;
    if (body.length === 0 || !/json/.test(String(asked.answer.headers['content-type']))) return {};
    const value: unknown = JSON.parse(String(body));
    const changed = Array.isArray(value)
      ? value.map((one) => change(one, asked))
      : change(value as Json, asked);
    return { body: JSON.stringify(changed) };
  };

/** Sets these keys in every object. */
const sets = (keys: Json): Lie => each((object) => ({ ...object, ...keys }));

/** Lies about some requests only. */
const only =
  (where: (asked: Asked) => boolean, lie: Lie): Lie =>
  (asked) =>
    where(asked) ? lie(asked) : {};

const isCreation = ({ request, url }: Asked): boolean =>
  request.method === 'POST' && url.endsWith('/stream');
const isList = ({ url }: Asked): boolean => /\/(sessions|stream|session)(\?|$)/.test(url);
const isControl = ({ url }: Asked): boolean => url.startsWith('/_mock');
const isMedia = ({ url }: Asked): boolean => /\.(m3u8|mp4|ts|m4s)/.test(url);
const isPlaylist = ({ url }: Asked): boolean => url.includes('.m3u8');
const isMp4 = ({ url }: Asked): boolean => url.includes('.mp4');
const after = (lie: Lie): Lie => only((asked) => asked.index > 1 && !isCreation(asked), lie);
const coded = (coding: string, body: Uint8Array | string): Lie =>
  always(201, body, { ...json, 'content-encoding': coding });
const sometimes = (share: number, lie: Lie): Lie => only(() => random() < share, lie);

const zeros = Buffer.alloc(64 * megabyte);
const deep = '['.repeat(1_000_000);
const head = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n';
const box = (size: number, type: string): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(size);
  return Buffer.concat([bytes.subarray(0, 4), Buffer.from(type)]);
};
const ready = { record: true, recordingStatus: 'ready', sourceSegmentsDuration: 8 };

/** Each by what it does. All but those that only lie about some requests refuse to be a service. */
export const hostileTargets: Readonly<Record<string, HostileTarget>> = {
  ...letting([], {
    // Statuses
    'sends status 199': raw('HTTP/1.1 199 Hi\r\ncontent-length: 2\r\n\r\n[]'),
    'sends status 100 without end': repeats('', 'HTTP/1.1 100 Continue\r\n\r\n'),
    'sends status 103 without end': repeats('', 'HTTP/1.1 103 Hi\r\nlink: <a>\r\n\r\n', 5),
    'switches protocols': raw('HTTP/1.1 101 Hi\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    'sends status 000': raw('HTTP/1.1 000 Hi\r\ncontent-length: 0\r\n\r\n'),
    'sends status 999 with a list': always(999),
    'sends status 204 with a body': raw('HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\nhello'),
    'sends status 304': always(304, ''),
    'sends status 200 with a list': always(200),
    'sends status 201 with a list': always(201),
    'sends status 401': always(401, '{}'),
    'sends status 404': always(404, '{}'),
    'sends status 500': always(500, '{}'),
    'asks to wait for ever': always(429, '{}', { 'retry-after': '0' }),
    'asks to wait for years': always(429, '{}', { 'retry-after': '999999999' }),
    'fails at random': sometimes(0.3, always(500, '{}')),
    'fails after it has created': after(always(500, '{}')),
    'has no status text': raw('HTTP/1.1 201\r\ncontent-length: 2\r\n\r\n{}'),
    // Bodies
    'answers with an empty body': says(''),
    'answers with null': says('null'),
    'answers with an empty object': says('{}'),
    'answers with a number': says('1e999'),
    'answers with HTML': says('<!doctype html><p>Hi', { 'content-type': 'text/html' }),
    'answers with a list of nulls': says('[null,null]'),
    'answers with lists too deep': says(deep + ']'.repeat(1_000_000)),
    'answers with objects too deep': says('{"a":'.repeat(500_000) + '}'.repeat(500_000)),
    'opens lists and closes none': says(deep),
    'answers with 3 MB of one text': says(`{"id":"a","name":"${'a'.repeat(3 * megabyte)}"}`),
    'answers with 150,000 keys': says(
      `{${Array.from({ length: 149_000 }, (_, i) => `"key${i}":${i}`)}}`,
    ),
    'answers with objects in objects': says(
      `[${new Array(7_000).fill(`${'{"a":'.repeat(99)}1${'}'.repeat(99)}`)}]`,
    ),
    'answers with a long number': says(`{"id":${'9'.repeat(megabyte)}}`),
    'breaks off its JSON': ({ answer: { body } }) => ({ body: String(body).slice(0, -3) }),
    'answers with bytes that are no UTF-8': always(
      201,
      Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xff, 0xc0, 0x22, 0x7d]),
    ),
    'answers with 10 MB of spaces': says(' '.repeat(10 * megabyte)),
    'answers with the keys of every object': says(
      '{"__proto__":{"id":"x","a":1},"constructor":{"prototype":{"b":1}},"toString":1}',
    ),
    // Fields
    'gives every stream one id': sets({ id: 'same' }),
    'gives streams no id': each(({ id: _, ...rest }) => rest),
    'gives ids that are numbers': sets({ id: 7 }),
    'gives ids that are objects': sets({ id: { toString: 1 } }),
    'gives ids of dots': sets({ id: '..' }),
    'gives ids that are paths': sets({ id: '../../admin?x=1#y' }),
    'gives ids with NUL': sets({ id: 'a\0b' }),
    'gives ids of half a character': sets({ id: '\ud800' }),
    'gives ids with line ends': sets({ id: 'a\r\nx-injected: 1\r\n\r\nGET / HTTP/1.1' }),
    'gives ids of 3 MB': sets({ id: 'a'.repeat(3 * megabyte) }),
    'gives ids that are encoded again and again': sets({
      id: `%${'25'.repeat(megabyte)}`,
      parentId: `%${'25'.repeat(500)}`,
    }),
    'gives texts of ligatures': sets({ id: '\ufdfa'.repeat(300), name: '\ufdfa'.repeat(megabyte) }),
    'gives ids that command terminals': sets({ id: '\u001b[2J\u001b]0;x\u0007', name: '\u009b2J' }),
    'gives ids that are keys of objects': sets({ id: '__proto__', parentId: 'constructor' }),
    'gives an id for each look': each((o, { index }) => ({ ...o, id: `id-${index}` })),
    // Lists
    'lists other things each time': only(isList, ({ index }) => ({
      body: JSON.stringify([{ id: `a${index}`, parentId: 'b' }]),
    })),
    // Headers
    'floods with headers': repeats(ok, 'x-flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1_000)),
    'sends headers of 1 MB': raw(`${ok}x: ${'a'.repeat(megabyte)}\r\n\r\n{}`),
    'sends 1,900 headers': raw(`${ok}${'x: a\r\n'.repeat(1_900)}content-length: 2\r\n\r\n{}`),
    'sends trailers without end': repeats(
      `${ok}transfer-encoding: chunked\r\n\r\n0\r\n`,
      'x-trailer: a\r\n'.repeat(500),
    ),
    'sends a status line without end': repeats('HTTP/1.1 200 ', 'O'.repeat(10_000)),
    'sends a chunk extension without end': repeats(
      `${ok}transfer-encoding: chunked\r\n\r\n1;`,
      'a'.repeat(10_000),
    ),
    'speaks HTTP/9.9': raw('HTTP/9.9 200 OK\r\n\r\n{}'),
    'drips its headers': repeats(ok, 'x-drip: a\r\n', 20),
    // Content codings
    'packs its body fifty times': coded(new Array(50).fill('gzip').join(', '), gzipSync('{}')),
    'packs its body with what nobody knows': coded('pack200', 'x'),
    'says that its body is packed': coded('gzip', '{"id":"a"}'),
    'sends a bomb of gzip': coded('gzip', gzipSync(zeros)),
    'sends a bomb of Brotli': coded('br', brotliCompressSync(zeros)),
    'sends a bomb after it has created': after(coded('gzip', gzipSync(zeros))),
    'sends 4 MB in a kilobyte': coded('gzip', gzipSync(zeros.subarray(0, 4_000_000))),
    // Redirects
    'redirects in a circle': ({ url }) => ({ status: 302, headers: { location: url }, body: '' }),
    'redirects elsewhere': always(307, '', { location: 'http://127.0.0.1:1/api/stream' }),
    'redirects to a file': always(302, '', { location: 'file:///etc/passwd' }),
    // Connections
    hangs: () => undefined,
    'hangs after its headers': repeats(`${ok}content-length: 10\r\n\r\n`, '', 1_000),
    'hangs after it has created': after(() => undefined),
    'drips its body': repeats(`${ok}content-length: 100000\r\n\r\n`, 'a', 20),
    'closes at once': raw(''),
    'resets at once': ({ socket }) => {
      socket.resetAndDestroy();
      return undefined;
    },
    'closes after its headers': raw(`${ok}content-length: 10\r\n\r\n`),
    'sends more than it says': raw(`${ok}content-length: 2\r\n\r\n{}${'x'.repeat(10_000)}`),
    'sends a response before it is asked again': ({ socket }) => {
      socket.write(`${ok}content-length: 2\r\n\r\n{}`);
      setTimeout(() => socket.write(`${ok}content-length: 2\r\n\r\n[]`), 5);
      return undefined;
    },
    'closes before the request is whole': ({ socket }) =>
      void socket.write(`${ok}content-length: 2\r\n\r\n{}`, () => socket.resetAndDestroy()),
    'sends two lengths': raw(`${ok}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
    'sends a length of exabytes': raw(`${ok}content-length: 9999999999999999999\r\n\r\n{}`),
    'closes within a chunk': raw(`${ok}transfer-encoding: chunked\r\n\r\n10\r\n{"id"`),
    'sends malformed chunks': raw(`${ok}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`),
    'sends chunks of exabytes': raw(
      `${ok}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`,
    ),
    'sends chunks of one byte': repeats(
      `${ok}transfer-encoding: chunked\r\n\r\n`,
      '1\r\na\r\n'.repeat(20_000),
    ),
    'sends chunks and a length': raw(
      `${ok}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n{}`,
    ),
    'sends a body without end': repeats(
      `${ok}connection: close\r\n\r\n`,
      zeros.subarray(0, megabyte),
    ),
    'speaks SMTP': raw('220 mail.example.test ESMTP\r\n'),
    'speaks HTTP/2': raw(Buffer.from('000000040000000000', 'hex')),
    'sends random bytes': ({ socket }) =>
      void socket.end(Buffer.from(Array.from({ length: 2_000 }, () => random() * 256))),
    'closes at random': sometimes(0.3, raw('')),
    'resets after it has created': after(raw('')),
    // The control API
    'goes live without end': only(isControl, () => undefined),
    'goes live with a bomb': only(isControl, coded('gzip', gzipSync(zeros))),
    'goes live elsewhere': only(isControl, always(302, '', { location: 'http://127.0.0.1:1/' })),
  }),
  ...letting(all, {
    'adds the keys of every object': each((object) =>
      JSON.parse(`{"__proto__":{"id":"x"},${JSON.stringify(object).slice(1)}`),
    ),
    'writes keys twice': ({ answer: { body } }) => ({
      body: String(body).replace('{', '{"id":"twice",'),
    }),
    'says that all is ready': only(isList, sets(ready)),
    'lists without end': only(isList, ({ url }) => ({
      headers: { ...json, link: `<${url}&page=2>; rel="next"` },
    })),
    'lists elsewhere': only(isList, () => ({
      headers: { ...json, link: '<http://127.0.0.1:1/>; rel="next"' },
    })),
    'lists with half a megabyte of links': only(isList, () => ({
      headers: { ...json, link: '<'.repeat(8_000) },
    })),
    'sends its type twenty times': ({ answer }) => ({
      headers: { ...answer.headers, 'content-type': new Array(20).fill('application/json') },
    }),
    'closes each connection after a right answer': ({ socket, answer }) => {
      const { status, headers, body } = answer;
      const bytes = Buffer.from(body);
      const lines = Object.entries(headers).filter(([name]) => name !== 'content-length');
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.write(`HTTP/1.1 ${status} Hi\r\n${head}content-length: ${bytes.length}\r\n\r\n`);
      socket.end(bytes);
      return undefined;
    },
  }),
  ...letting(['learn'], {
    'gives a time without end': each((o) => ({ ...o, createdAt: 1e308 })),
    'gives fields of other types': sets({
      name: [],
      profiles: 'x',
      streamKey: {},
      playbackId: null,
      createdAt: 'now',
      record: 'yes',
    }),
    'gives profiles without end': sets({ profiles: new Array(50_000).fill({ name: 'a' }) }),
    'gives addresses of files': sets({
      ...ready,
      recordingUrl: 'file:///etc/passwd',
      mp4URL: 'javascript:1',
    }),
    'gives addresses with a password': sets({
      ...ready,
      recordingUrl: 'http://a:b@127.0.0.1:1/',
      mp4URL: 'http://[::1/',
    }),
    'gives addresses where nothing listens': sets({
      ...ready,
      recordingUrl: 'http://127.0.0.1:1/index.m3u8',
      mp4URL: 'http://127.0.0.1:1/a.mp4',
    }),
    'lists objects': only(isList, ({ request }) =>
      request.method === 'GET' ? { body: '{}' } : {},
    ),
  }),
  ...letting(['learn', 'compare'], {
    'redirects media in a circle': only(isMedia, ({ url }) => ({
      status: 302,
      headers: { location: url },
      body: '',
    })),
    'plays a playlist of itself': only(isPlaylist, ({ url }) => ({
      body: `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${url}\n`,
    })),
    'plays a playlist without end': only(
      isPlaylist,
      repeats(`${ok}\r\n${head}`, '#EXTINF:1,\na.ts\n'.repeat(1_000)),
    ),
    'plays 80,000 segments': only(isPlaylist, () => ({
      body: head + '#EXTINF:1,\na.ts\n'.repeat(80_000),
    })),
    'plays one line of 2 MB': only(isPlaylist, () => ({
      body: `${head}#EXTINF:1,${'a,'.repeat(megabyte)}`,
    })),
    'plays segments elsewhere': only(isPlaylist, () => ({
      body: `${head}#EXTINF:1,\nhttp://127.0.0.1:1/a.ts\n#EXTINF:1,\nfile:///etc/passwd\n`,
    })),
    'plays nonsense': only(isMedia, () => ({ body: 'not media' })),
    'says that an MP4 is long': only(isMp4, () => ({
      body: Buffer.concat([box(16, 'ftyp'), box(0xffffffff, 'moov')]),
    })),
    'sends an MP4 of empty boxes': only(isMp4, () => ({
      body: Buffer.concat(new Array(100_000).fill(box(8, 'free'))),
    })),
    'sends an MP4 without end': only(
      isMp4,
      repeats('HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\n\r\n', zeros.subarray(0, megabyte)),
    ),
  }),
  ...letting(['check', 'learn'], {
    'goes live with nonsense': only(isControl, always(201, '{"id":{"a":[]}}')),
    'goes live as another stream': only(isControl, sets({ id: 'x', parentId: 'y' })),
  }),
};

/** A hostile target that listens until the test ends, with the addresses of its two interfaces. */
interface ServedTarget extends Pick<HostileTarget, 'mayPass'> {
  readonly origin: string;
  readonly baseUrl: string;
  readonly controlUrl: string;
}

/** Serves the hostile target that does this, on a free port; without its lies it is a mock. */
export async function serveHostile(does: string): Promise<ServedTarget> {
  const target = hostileTargets[does];
  if (target === undefined) throw new Error(`no hostile target ${does}`);
  const { lie, mayPass } = target;
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  let requests = 0;
  const { origin } = await serveHttp(async (request, response) => {
    const { socket, url = '/' } = request;
    const index = requests++;
    const right = await mock.fetch(await toRequest(request, origin));
    const body = new Uint8Array(await right.arrayBuffer());
    const answer = {
      status: right.status,
      headers: Object.fromEntries(right.headers),
      body: isText(right) ? Buffer.from(body).toString() : body,
    };
    const changed = lie({ request, url, answer, socket, index });
    if (changed === undefined || socket.destroyed) return;
    const { status, headers, body: written } = { ...answer, ...changed };
    const { 'content-length': _, ...sent } = headers;
    response.writeHead(status, sent).end(written);
  });
  return { origin, baseUrl: `${origin}/api`, controlUrl: `${origin}/_mock`, mayPass };
}

function isText({ headers }: Response): boolean {
  return /json|mpegurl|text/.test(headers.get('content-type') ?? '');
}
