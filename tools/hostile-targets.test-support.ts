import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createRandom } from '../fixtures/random.ts';
import { createMock } from '../mocks/index.ts';
import { serveHttp, toRequest } from '../target/servers.test-support.ts';

/** The commands that send requests to a target. */
export type Tool = 'check' | 'learn' | 'compare';

/** A mock's response, before the target changes it. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array;
}

/** A request that reached a hostile target. */
interface Asked {
  readonly request: IncomingMessage;
  readonly url: string;
  readonly reply: Reply;
  readonly socket: Socket;
  /** The number of earlier requests. */
  readonly index: number;
}

/** What a target changes in the right response; nothing if it writes to the socket itself. */
type Lie = (asked: Asked) => Partial<Reply> | undefined;

/** A target that harms anyone who trusts it. */
interface HostileTarget {
  readonly lie: Lie;
  /** The tools that may end with 0, because the behaviour is odd but legal, or not something that the tool checks. */
  readonly mayPass: readonly Tool[];
}

/** Targets by what they do, with the tools that may pass. */
function letting(
  mayPass: readonly Tool[],
  lies: Readonly<Record<string, Lie>>,
): Record<string, HostileTarget> {
  const targets = Object.entries(lies).map(([does, lie]) => [does, { lie, mayPass }] as const);
  return Object.fromEntries(targets);
}

const json = { 'content-type': 'application/json' };
const mebibyte = 1024 * 1024;
const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const random = createRandom('hostile');

const always =
  (status: number, body: Reply['body'] = '[]', headers: Reply['headers'] = json): Lie =>
  () => ({ status, body, headers });

/** Responds with a body, and the right status. */
const says =
  (body: Reply['body']): Lie =>
  () => ({ body });

const redirects =
  (to: (url: string) => string, status = 302): Lie =>
  ({ url }) => ({ status, headers: { location: to(url) }, body: '' });

const raw =
  (text: string | Uint8Array): Lie =>
  ({ socket }) =>
    void socket.end(text);

/** Writes a beginning, and then repeats the rest until the other side gives up. */
const repeats =
  (before: string, text: string | Uint8Array, pause = 0): Lie =>
  ({ socket }) => {
    socket.write(before);
    const push = (): void => {
      while (!socket.destroyed && socket.write(text)) if (pause > 0) return;
    };
    if (pause === 0) socket.on('drain', push);
    const timer = pause > 0 ? setInterval(push, pause) : undefined;
    socket.on('close', () => clearInterval(timer));
    push();
    return undefined;
  };

type JsonObject = Record<string, unknown>;

/** Changes the text of every JSON response. */
const edits =
  (change: (text: string, asked: Asked) => string): Lie =>
  (asked) => {
    const { body, headers } = asked.reply;
    const isJson = body.length > 0 && /json/.test(String(headers['content-type']));
    return isJson ? { body: change(String(body), asked) } : {};
  };

/** Changes every object in a response. */
const each = (change: (object: JsonObject, asked: Asked) => unknown): Lie =>
  edits((text, asked) => {
    const value: JsonObject | JsonObject[] = JSON.parse(text);
    const changed = Array.isArray(value)
      ? value.map((one) => change(one, asked))
      : change(value, asked);
    return JSON.stringify(changed);
  });

/** Sets these keys in every object. */
const sets = (keys: JsonObject): Lie => each((object) => ({ ...object, ...keys }));

/** Claims that everything is recorded, and where the recordings are. */
const records = (recordingUrl: string, mp4URL: string): Lie =>
  sets({ ...ready, recordingUrl, mp4URL });
const ready = { record: true, recordingStatus: 'ready', sourceSegmentsDuration: 8 };

/** Lies only about some requests. */
const only =
  (applies: (asked: Asked) => boolean, lie: Lie): Lie =>
  (asked) =>
    applies(asked) ? lie(asked) : {};

const goesTo =
  (pattern: RegExp) =>
  ({ url }: Asked): boolean =>
    pattern.test(url);
const inLists = (lie: Lie): Lie => only(goesTo(/\/(sessions|stream|session)(\?|$)/), lie);
const inControl = (lie: Lie): Lie => only(goesTo(/^\/_mock/), lie);
const inMedia = (lie: Lie): Lie => only(goesTo(/\.(m3u8|mp4|ts|m4s)/), lie);
const inMp4s = (lie: Lie): Lie => only(goesTo(/\.mp4/), lie);
const inPlaylists = (lie: Lie): Lie => only(goesTo(/\.m3u8/), lie);
const plays = (lines: string): Lie => inPlaylists(says(head + lines));
const head = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n';

const links = (link: (url: string) => string): Lie =>
  inLists(({ url }) => ({ headers: { ...json, link: link(url) } }));
const after = (lie: Lie): Lie =>
  only(({ index, request, url }) => {
    return index > 1 && !(request.method === 'POST' && url.endsWith('/stream'));
  }, lie);
const sometimes = (lie: Lie): Lie => only(() => random.integer(1, 10) <= 3, lie);
const coded = (coding: string, body: Uint8Array | string): Lie =>
  always(201, body, { ...json, 'content-encoding': coding });

const zeros = Buffer.alloc(64 * mebibyte);
const bomb = coded('gzip', gzipSync(zeros));
const nowhere = 'http://127.0.0.1:1/';
const box = (size: number, type: string): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(size);
  return Buffer.concat([bytes, Buffer.from(type)]);
};

/** Each target by what it does. Most do not behave like a service at all; some lie only about some requests. */
export const hostileTargets: Readonly<Record<string, HostileTarget>> = {
  ...letting([], {
    // Statuses
    'sends status 199': raw('HTTP/1.1 199 Hi\r\ncontent-length: 2\r\n\r\n[]'),
    'sends status 100 without end': repeats('', 'HTTP/1.1 100 Continue\r\n\r\n'),
    'sends status 103 without end': repeats('', 'HTTP/1.1 103 Hi\r\nlink: <a>\r\n\r\n', 5),
    'switches protocols': raw('HTTP/1.1 101 Hi\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    'sends status 999 with a list': always(999),
    'sends status 204 with a body': raw('HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\nhello'),
    'sends status 304': always(304, ''),
    'sends status 201 with a list': always(201),
    'sends status 401': always(401, '{}'),
    'sends status 404': always(404, ''),
    'sends status 500': always(500, '{}'),
    'asks to wait for ever': always(429, '{}', { 'retry-after': '0' }),
    'asks to wait for years': always(429, '{}', { 'retry-after': '999999999' }),
    'fails at random': sometimes(always(500, '{}')),
    'fails after it has created': after(always(500, '{}')),
    // Bodies
    'answers with an empty body': says(''),
    'answers with an empty object': says('{}'),
    'answers with null': says('null'),
    'answers with a number': says('1e999'),
    'answers with HTML': says('<!doctype html><p>Hi'),
    'answers with lists too deep': says('['.repeat(mebibyte) + ']'.repeat(mebibyte)),
    'answers with 3 MiB of one text': says(`{"id":"a","name":"${'a'.repeat(3 * mebibyte)}"}`),
    'answers with 150,000 keys': says(
      `{${Array.from({ length: 149_000 }, (_, i) => `"k${i}":1`)}}`,
    ),
    'breaks off its JSON': edits((text) => text.slice(0, -3)),
    'answers with bytes that are no UTF-8': says(Buffer.from('7b226964223a22ffc0227d', 'hex')),
    'answers with 10 MiB of spaces': says(' '.repeat(10 * mebibyte)),
    'answers with the keys of every object': says(
      '{"__proto__":{"id":"x","a":1},"constructor":{"prototype":{"b":1}},"toString":1}',
    ),
    // Fields
    'gives every stream one id': sets({ id: 'same' }),
    'gives streams no id': sets({ id: undefined }),
    'gives ids that are objects': sets({ id: { toString: 1 } }),
    'gives ids that are half a character': sets({ id: '\ud800' }),
    'gives ids that are paths': sets({ id: '../../admin?x=1#y' }),
    'gives ids of 3 MiB': sets({ id: 'a'.repeat(3 * mebibyte) }),
    'gives ids that command terminals': sets({ id: '\u001b[2J\u001b]0;x\u0007', name: '\u009b2J' }),
    'gives ids that are keys of objects': sets({ id: '__proto__', parentId: 'constructor' }),
    'gives an id for each look': each((o, { index }) => ({ ...o, id: `id-${index}` })),
    // Lists
    'lists other things each time': inLists(({ index }) => ({
      body: JSON.stringify([{ id: `a${index}`, parentId: 'b' }]),
    })),
    // Headers
    'floods with headers': repeats(ok, 'x-flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1_000)),
    'sends headers of 1 MiB': raw(`${ok}x: ${'a'.repeat(mebibyte)}\r\n\r\n{}`),
    'sends trailers without end': repeats(`${chunked}0\r\n`, 'x-trailer: a\r\n'.repeat(500)),
    'drips its headers': repeats(ok, 'x-drip: a\r\n', 20),
    // Content codings
    'packs its body fifty times': coded(new Array(50).fill('gzip').join(', '), gzipSync('{}')),
    'says that its body is packed': coded('gzip', '{"id":"a"}'),
    'sends a bomb of gzip': bomb,
    'sends a bomb of Brotli': coded('br', brotliCompressSync(zeros)),
    'sends a bomb after it has created': after(bomb),
    // Redirects
    'redirects in a circle': redirects((url) => url),
    'redirects elsewhere': redirects(() => `${nowhere}api/stream`, 307),
    // Connections
    hangs: () => undefined,
    'hangs after its headers': repeats(`${ok}content-length: 10\r\n\r\n`, '', 1_000),
    'hangs after it has created': after(() => undefined),
    'drips its body': repeats(`${ok}content-length: 100000\r\n\r\n`, 'a', 20),
    'closes at once': raw(''),
    'resets at once': ({ socket }) => void socket.resetAndDestroy(),
    'closes after its headers': raw(`${ok}content-length: 10\r\n\r\n`),
    'sends a response before it is asked again': ({ socket }) => {
      socket.write(`${ok}content-length: 2\r\n\r\n{}`);
      setTimeout(() => socket.write(`${ok}content-length: 2\r\n\r\n[]`), 5);
      return undefined;
    },
    'closes within a chunk': raw(`${chunked}10\r\n{"id"`),
    'sends malformed chunks': raw(`${chunked}zz\r\n{}\r\n`),
    'sends chunks of one byte': repeats(chunked, '1\r\na\r\n'.repeat(20_000)),
    'sends a body without end': repeats(`${ok}connection: close\r\n\r\n`, 'a'.repeat(mebibyte)),
    'speaks SMTP': raw('220 mail.example.test ESMTP\r\n'),
    'sends random bytes': ({ socket }) =>
      void socket.end(Buffer.from(Array.from({ length: 2_000 }, () => random.word()))),
    'closes at random': sometimes(raw('')),
    'resets after it has created': after(raw('')),
    // The control API
    'goes live without end': inControl(() => undefined),
    'goes live with a bomb': inControl(bomb),
    'goes live elsewhere': inControl(redirects(() => nowhere)),
  }),
  ...letting(['check', 'learn', 'compare'], {
    'adds the keys of every object': each((object) =>
      JSON.parse(`{"__proto__":{"id":"x"},${JSON.stringify(object).slice(1)}`),
    ),
    // The control API is not part of the interface, and lists show which sessions there are.
    'goes live as another stream': inControl(sets({ id: 'x', parentId: 'y' })),
    'writes keys twice': edits((text) => text.replace('{', '{"id":"twice",')),
    'says that all is ready': inLists(sets(ready)),
    'lists without end': links((url) => `<${url}&page=2>; rel="next"`),
    'lists elsewhere': links(() => `<${nowhere}>; rel="next"`),
    'sends its type twenty times': ({ reply }) => ({
      headers: { ...reply.headers, 'content-type': new Array(20).fill('application/json') },
    }),
    'closes each connection after a right response': ({ socket, reply }) => {
      const { status, headers, body } = reply;
      const lines = Object.entries({ ...headers, 'content-length': body.length });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.write(`HTTP/1.1 ${status} Hi\r\n${head}\r\n`);
      socket.end(body);
      return undefined;
    },
  }),
  ...letting(['learn'], {
    'gives a time without end': sets({ createdAt: 1e308 }),
    'gives texts as lists and objects': sets({ name: [], streamKey: {}, playbackId: null }),
    'gives times and flags as words': sets({ profiles: 'x', createdAt: 'now', record: 'yes' }),
    'gives profiles without end': sets({ profiles: new Array(50_000).fill({ name: 'a' }) }),
    'gives addresses of files': records('file:///etc/passwd', 'javascript:1'),
    'gives addresses where nothing listens': records(`${nowhere}index.m3u8`, `${nowhere}a.mp4`),
    'lists objects': inLists(({ request }) => (request.method === 'GET' ? { body: '{}' } : {})),
  }),
  ...letting(['learn', 'compare'], {
    'redirects media in a circle': inMedia(redirects((url) => url)),
    'plays a playlist of itself': inPlaylists(({ url }) => ({
      body: `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${url}\n`,
    })),
    'plays a playlist without end': inPlaylists(
      repeats(`${ok}\r\n${head}`, '#EXTINF:1,\na.ts\n'.repeat(1_000)),
    ),
    'plays 80,000 segments': plays('#EXTINF:1,\na.ts\n'.repeat(80_000)),
    'plays segments elsewhere': plays(`#EXTINF:1,\n${nowhere}\n#EXTINF:1,\nfile:///etc/passwd\n`),
    'plays nonsense': inMedia(says('not media')),
    'says that an MP4 is long': inMp4s(
      says(Buffer.concat([box(16, 'ftyp'), box(0xffffffff, 'moov')])),
    ),
    'sends an MP4 without end': inMp4s(
      repeats('HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\n\r\n', 'a'.repeat(mebibyte)),
    ),
  }),
};

/** Serves the hostile target that does this, on a free port, until the test ends. Apart from its lies, it is a mock. */
export async function serveHostile(does: string) {
  const target = hostileTargets[does];
  if (target === undefined) throw new Error(`no hostile target ${does}`);
  const { lie, mayPass } = target;
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  let requests = 0;
  const { origin } = await serveHttp(async (request, response) => {
    const { socket, url = '/' } = request;
    const index = requests++;
    const right = await mock.fetch(await toRequest(request, origin));
    const { 'content-length': _, ...headers } = Object.fromEntries(right.headers);
    const body = Buffer.from(await right.arrayBuffer());
    const reply = { status: right.status, headers, body };
    const changed = lie({ request, url, reply, socket, index });
    if (changed === undefined || socket.destroyed) return;
    const { status, headers: sent, body: written } = { ...reply, ...changed };
    response.writeHead(status, sent).end(written);
  });
  return { origin, baseUrl: `${origin}/api`, controlUrl: `${origin}/_mock`, mayPass };
}
