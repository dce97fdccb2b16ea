import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
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
  readonly mayPass?: readonly Tool[];
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
  // Statuses
  'sends status 199': { lie: raw('HTTP/1.1 199 Hi\r\ncontent-length: 2\r\n\r\n[]') },
  'sends status 100 without end': { lie: repeats('', 'HTTP/1.1 100 Continue\r\n\r\n') },
  'sends status 103 without end': { lie: repeats('', 'HTTP/1.1 103 Hi\r\nlink: <a>\r\n\r\n', 5) },
  'switches protocols': {
    lie: raw('HTTP/1.1 101 Hi\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  },
  'sends status 000': { lie: raw('HTTP/1.1 000 Hi\r\ncontent-length: 0\r\n\r\n') },
  'sends status 1000': { lie: raw('HTTP/1.1 1000 Hi\r\ncontent-length: 0\r\n\r\n') },
  'sends status -1': { lie: raw('HTTP/1.1 -1 Hi\r\ncontent-length: 0\r\n\r\n') },
  'sends status 999 with a list': { lie: always(999) },
  'sends status 299 with a list': { lie: always(299) },
  'sends status 204 with a body': {
    lie: raw('HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\nhello'),
  },
  'sends status 304': { lie: always(304, '') },
  'sends status 200 with a list': { lie: always(200) },
  'sends status 201 with a list': { lie: always(201) },
  'sends status 401': { lie: always(401, '{}') },
  'sends status 404': { lie: always(404, '{}') },
  'sends status 418': { lie: always(418, '{}') },
  'sends status 500': { lie: always(500, '{}') },
  'sends status 501': { lie: always(501, '{}') },
  'asks to wait for ever': { lie: always(429, '{}', { 'retry-after': '0' }) },
  'asks to wait for years': { lie: always(429, '{}', { 'retry-after': '999999999' }) },
  'asks to wait as long as infinity': { lie: always(503, '{}', { 'retry-after': '1e999' }) },
  'asks to wait until a day': {
    lie: always(429, '{}', { 'retry-after': 'Wed, 21 Oct 2999 07:28:00 GMT' }),
  },
  'fails at random': { lie: sometimes(0.3, always(500, '{}')) },
  'fails often': { lie: sometimes(0.8, always(500, '{}')) },
  'refuses at random': { lie: sometimes(0.3, always(400, '{}')) },
  'fails after it has created': { lie: after(always(500, '{}')) },
  'asks to wait after it has created': { lie: after(always(429, '{}')) },
  'has no status text': { lie: raw('HTTP/1.1 201\r\ncontent-length: 2\r\n\r\n{}') },
  // Bodies
  'answers with an empty body': { lie: says('') },
  'answers with null': { lie: says('null') },
  'answers with an empty object': { lie: says('{}') },
  'answers with a number': { lie: says('1e999') },
  'answers with a text': { lie: says('"stream"') },
  'answers with true': { lie: says('true') },
  'answers with HTML': { lie: says('<!doctype html><p>Hi', { 'content-type': 'text/html' }) },
  'answers with a list of nulls': { lie: says('[null,null]') },
  'answers with lists too deep': { lie: says(deep + ']'.repeat(1_000_000)) },
  'answers with objects too deep': { lie: says('{"a":'.repeat(500_000) + '}'.repeat(500_000)) },
  'opens lists and closes none': { lie: says(deep) },
  'answers with 3 MB of one text': { lie: says(`{"id":"a","name":"${'a'.repeat(3 * megabyte)}"}`) },
  'answers with 3 MB of keys': {
    lie: says(`{${Array.from({ length: 200_000 }, (_, i) => `"key${i}":${i}`)}}`),
  },
  'answers with 150,000 keys': {
    lie: says(`{${Array.from({ length: 149_000 }, (_, i) => `"key${i}":${i}`)}}`),
  },
  'answers with lists in lists': {
    lie: says(`[${new Array(20_000).fill('['.repeat(99) + ']'.repeat(99))}]`),
  },
  'answers with objects in objects': {
    lie: says(`[${new Array(7_000).fill(`${'{"a":'.repeat(99)}1${'}'.repeat(99)}`)}]`),
  },
  'answers with a key of 3 MB': { lie: says(`{"${'a'.repeat(3 * megabyte)}":1}`) },
  'answers with a million elements': { lie: says(`[${new Array(1_000_000).fill('{}')}]`) },
  'answers with a long number': { lie: says(`{"id":${'9'.repeat(megabyte)}}`) },
  'breaks off its JSON': { lie: ({ answer: { body } }) => ({ body: String(body).slice(0, -3) }) },
  'writes more after its JSON': { lie: ({ answer: { body } }) => ({ body: `${body} ${body}` }) },
  'answers with bytes that are no UTF-8': {
    lie: always(
      201,
      Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xff, 0xc0, 0x22, 0x7d]),
    ),
  },
  'answers in UTF-16': { lie: always(201, Buffer.from('{"id":"a"}', 'utf16le')) },
  'answers with NUL': { lie: says('\0'.repeat(1_000)) },
  'answers with 10 MB of spaces': { lie: says(' '.repeat(10 * megabyte)) },
  'answers with the keys of every object': {
    lie: says('{"__proto__":{"id":"x","a":1},"constructor":{"prototype":{"b":1}},"toString":1}'),
  },
  'adds the keys of every object': {
    lie: each((object) => JSON.parse(`{"__proto__":{"id":"x"},${JSON.stringify(object).slice(1)}`)),
    mayPass: all,
  },
  'writes keys twice': {
    lie: ({ answer: { body } }) => ({ body: String(body).replace('{', '{"id":"twice",') }),
    mayPass: all,
  },
  // Fields
  'gives every stream one id': { lie: sets({ id: 'same' }) },
  'gives streams no id': { lie: each(({ id: _, ...rest }) => rest) },
  'gives ids that are numbers': { lie: sets({ id: 7 }) },
  'gives ids that are objects': { lie: sets({ id: { toString: 1 } }) },
  'gives ids that are lists': { lie: sets({ id: [[]] }) },
  'gives empty ids': { lie: sets({ id: '' }) },
  'gives ids of dots': { lie: sets({ id: '..' }) },
  'gives ids that are paths': { lie: sets({ id: '../../admin?x=1#y' }) },
  'gives ids with NUL': { lie: sets({ id: 'a\0b' }) },
  'gives ids of half a character': { lie: sets({ id: '\ud800' }) },
  'gives ids with line ends': { lie: sets({ id: 'a\r\nx-injected: 1\r\n\r\nGET / HTTP/1.1' }) },
  'gives ids of 3 MB': { lie: sets({ id: 'a'.repeat(3 * megabyte) }) },
  'gives ids that are encoded ever again': {
    lie: sets({ id: `%${'25'.repeat(megabyte)}`, parentId: `%${'25'.repeat(500)}` }),
  },
  'gives texts of ligatures': {
    lie: sets({ id: '\ufdfa'.repeat(300), name: '\ufdfa'.repeat(megabyte) }),
  },
  'gives ids that command terminals': {
    lie: sets({ id: '\u001b[2J\u001b]0;x\u0007', name: '\u009b2J' }),
  },
  'gives ids that are keys of objects': { lie: sets({ id: '__proto__', parentId: 'constructor' }) },
  'gives an id for each look': { lie: each((o, { index }) => ({ ...o, id: `id-${index}` })) },
  'gives a time without end': {
    lie: each((o) => ({ ...o, createdAt: 1e308 })),
    mayPass: ['learn'],
  },
  'gives fields of other types': {
    lie: sets({
      name: [],
      profiles: 'x',
      streamKey: {},
      playbackId: null,
      createdAt: 'now',
      record: 'yes',
    }),
    mayPass: ['learn'],
  },
  'gives profiles without end': {
    lie: sets({ profiles: new Array(50_000).fill({ name: 'a' }) }),
    mayPass: ['learn'],
  },
  'says that all is ready': { lie: only(isList, sets(ready)), mayPass: all },
  'gives addresses of files': {
    lie: sets({ ...ready, recordingUrl: 'file:///etc/passwd', mp4URL: 'javascript:1' }),
    mayPass: ['learn'],
  },
  'gives addresses with a password': {
    lie: sets({ ...ready, recordingUrl: 'http://a:b@127.0.0.1:1/', mp4URL: 'http://[::1/' }),
    mayPass: ['learn'],
  },
  'gives addresses where nothing listens': {
    lie: sets({
      ...ready,
      recordingUrl: 'http://127.0.0.1:1/index.m3u8',
      mp4URL: 'http://127.0.0.1:1/a.mp4',
    }),
    mayPass: ['learn'],
  },
  // Lists
  'lists without end': {
    lie: only(isList, ({ url }) => ({ headers: { ...json, link: `<${url}&page=2>; rel="next"` } })),
    mayPass: all,
  },
  'lists elsewhere': {
    lie: only(isList, () => ({ headers: { ...json, link: '<http://127.0.0.1:1/>; rel="next"' } })),
    mayPass: all,
  },
  'lists with half a megabyte of links': {
    lie: only(isList, () => ({ headers: { ...json, link: '<'.repeat(8_000) } })),
    mayPass: all,
  },
  'lists other things each time': {
    lie: only(isList, ({ index }) => ({
      body: JSON.stringify([{ id: `a${index}`, parentId: 'b' }]),
    })),
  },
  'lists objects': {
    lie: only(isList, ({ request }) => (request.method === 'GET' ? { body: '{}' } : {})),
    mayPass: ['learn'],
  },
  // Headers
  'floods with headers': {
    lie: repeats(ok, 'x-flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1_000)),
  },
  'sends headers of 1 MB': { lie: raw(`${ok}x: ${'a'.repeat(megabyte)}\r\n\r\n{}`) },
  'sends 1,900 headers': {
    lie: raw(`${ok}${'x: a\r\n'.repeat(1_900)}content-length: 2\r\n\r\n{}`),
  },
  'sends headers of bytes': {
    lie: raw(Buffer.from(`${ok}x: \xff\xfe\r\ncontent-length: 2\r\n\r\n{}`, 'latin1')),
  },
  'sends headers without a name': { lie: raw(`${ok}: a\r\ncontent-length: 2\r\n\r\n{}`) },
  'ends its headers with line feeds': { lie: raw('HTTP/1.1 200 OK\ncontent-length: 2\n\n{}') },
  'sends its type twenty times': {
    lie: ({ answer }) => ({
      headers: { ...answer.headers, 'content-type': new Array(20).fill('application/json') },
    }),
    mayPass: all,
  },
  'sends 103 and hangs': { lie: repeats('HTTP/1.1 103 Hi\r\nlink: <a>\r\n\r\n', '', 1_000) },
  'sends trailers without end': {
    lie: repeats(`${ok}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x-trailer: a\r\n'.repeat(500)),
  },
  'sends a status line without end': { lie: repeats('HTTP/1.1 200 ', 'O'.repeat(10_000)) },
  'sends a chunk extension without end': {
    lie: repeats(`${ok}transfer-encoding: chunked\r\n\r\n1;`, 'a'.repeat(10_000)),
  },
  'speaks HTTP/1.0': { lie: raw('HTTP/1.0 200 OK\r\n\r\n{}') },
  'speaks HTTP/9.9': { lie: raw('HTTP/9.9 200 OK\r\n\r\n{}') },
  'drips its headers': { lie: repeats(ok, 'x-drip: a\r\n', 20) },
  // Content codings
  'packs its body fifty times': {
    lie: coded(new Array(50).fill('gzip').join(', '), gzipSync('{}')),
  },
  'packs its body twice': { lie: coded('gzip, br', brotliCompressSync(gzipSync('{}'))) },
  'packs its body with what nobody knows': { lie: coded('pack200', 'x') },
  'says that its body is packed': { lie: coded('gzip', '{"id":"a"}') },
  'breaks off what is packed': { lie: coded('gzip', gzipSync('{"id":"a"}').subarray(0, 12)) },
  'packs nothing': { lie: coded('gzip', '') },
  'sends a bomb of gzip': { lie: coded('gzip', gzipSync(zeros)) },
  'sends a bomb of deflate': { lie: coded('deflate', deflateSync(zeros)) },
  'sends a bomb of Brotli': { lie: coded('br', brotliCompressSync(zeros)) },
  'sends a bomb of Zstandard': { lie: coded('zstd', Buffer.from('28b52ffd', 'hex')) },
  'sends a bomb after it has created': { lie: after(coded('gzip', gzipSync(zeros))) },
  'sends 4 MB in a kilobyte': { lie: coded('gzip', gzipSync(zeros.subarray(0, 4_000_000))) },
  // Redirects
  'redirects in a circle': {
    lie: ({ url }) => ({ status: 302, headers: { location: url }, body: '' }),
  },
  'redirects elsewhere': { lie: always(307, '', { location: 'http://127.0.0.1:1/api/stream' }) },
  'redirects to a file': { lie: always(302, '', { location: 'file:///etc/passwd' }) },
  'redirects nowhere': { lie: always(302, '', { location: 'http://' }) },
  'redirects media in a circle': {
    lie: only(isMedia, ({ url }) => ({ status: 302, headers: { location: url }, body: '' })),
    mayPass: ['learn', 'compare'],
  },
  // Connections
  hangs: { lie: () => undefined },
  'hangs after its headers': { lie: repeats(`${ok}content-length: 10\r\n\r\n`, '', 1_000) },
  'hangs after it has created': { lie: after(() => undefined) },
  'drips its body': { lie: repeats(`${ok}content-length: 100000\r\n\r\n`, 'a', 20) },
  'closes at once': { lie: raw('') },
  'resets at once': {
    lie: ({ socket }) => {
      socket.resetAndDestroy();
      return undefined;
    },
  },
  'resets within its body': {
    lie: ({ socket }) => {
      socket.write(`${ok}content-length: 100\r\n\r\n{"id`, () => socket.resetAndDestroy());
      return undefined;
    },
  },
  'closes within its body': { lie: raw(`${ok}content-length: 100\r\n\r\n{"id":"a"}`) },
  'sends more than it says': { lie: raw(`${ok}content-length: 2\r\n\r\n{}${'x'.repeat(10_000)}`) },
  'sends two responses': { lie: raw(`${ok}content-length: 2\r\n\r\n{}`.repeat(2)) },
  'sends a response before it is asked again': {
    lie: ({ socket }) => {
      socket.write(`${ok}content-length: 2\r\n\r\n{}`);
      setTimeout(() => socket.write(`${ok}content-length: 2\r\n\r\n[]`), 5);
      return undefined;
    },
  },
  'closes before the request is whole': {
    lie: ({ socket }) =>
      void socket.write(`${ok}content-length: 2\r\n\r\n{}`, () => socket.resetAndDestroy()),
  },
  'closes each connection after a right answer': {
    lie: ({ socket, answer }) => {
      const { status, headers, body } = answer;
      const bytes = Buffer.from(body);
      const lines = Object.entries(headers).filter(([name]) => name !== 'content-length');
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.write(`HTTP/1.1 ${status} Hi\r\n${head}content-length: ${bytes.length}\r\n\r\n`);
      socket.end(bytes);
      return undefined;
    },
    mayPass: all,
  },
  'keeps alive and closes': {
    lie: raw(`${ok}connection: keep-alive\r\ncontent-length: 2\r\n\r\n{}`),
  },
  'sends two lengths': { lie: raw(`${ok}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`) },
  'sends a length below zero': { lie: raw(`${ok}content-length: -1\r\n\r\n{}`) },
  'sends a length of exabytes': { lie: raw(`${ok}content-length: 9999999999999999999\r\n\r\n{}`) },
  'sends chunks that are none': { lie: raw(`${ok}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`) },
  'sends chunks of exabytes': {
    lie: raw(`${ok}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`),
  },
  'sends chunks of one byte': {
    lie: repeats(`${ok}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'.repeat(20_000)),
  },
  'sends chunks and a length': {
    lie: raw(`${ok}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n{}`),
  },
  'sends a body without end': {
    lie: repeats(`${ok}connection: close\r\n\r\n`, zeros.subarray(0, megabyte)),
  },
  'speaks SMTP': { lie: raw('220 mail.example.test ESMTP\r\n') },
  'speaks HTTP/2': { lie: raw(Buffer.from('000000040000000000', 'hex')) },
  'sends random bytes': {
    lie: ({ socket }) =>
      void socket.end(Buffer.from(Array.from({ length: 2_000 }, () => random() * 256))),
  },
  'closes at random': { lie: sometimes(0.3, raw('')) },
  'resets after it has created': { lie: after(raw('')) },
  // The control API
  'goes live with nonsense': {
    lie: only(isControl, always(201, '{"id":{"a":[]}}')),
    mayPass: ['check', 'learn'],
  },
  'goes live without end': { lie: only(isControl, () => undefined) },
  'goes live with a bomb': { lie: only(isControl, coded('gzip', gzipSync(zeros))) },
  'goes live elsewhere': {
    lie: only(isControl, always(302, '', { location: 'http://127.0.0.1:1/' })),
  },
  'goes live as another stream': {
    lie: only(isControl, sets({ id: 'x', parentId: 'y' })),
    mayPass: ['check', 'learn'],
  },
  // Media
  'plays a playlist of itself': {
    lie: only(isPlaylist, ({ url }) => ({
      body: `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${url}\n`,
    })),
    mayPass: ['learn', 'compare'],
  },
  'plays a playlist without end': {
    lie: only(isPlaylist, repeats(`${ok}\r\n${head}`, '#EXTINF:1,\na.ts\n'.repeat(1_000))),
    mayPass: ['learn', 'compare'],
  },
  'plays 80,000 segments': {
    lie: only(isPlaylist, () => ({ body: head + '#EXTINF:1,\na.ts\n'.repeat(80_000) })),
    mayPass: ['learn', 'compare'],
  },
  'plays one line of 2 MB': {
    lie: only(isPlaylist, () => ({ body: `${head}#EXTINF:1,${'a,'.repeat(megabyte)}` })),
    mayPass: ['learn', 'compare'],
  },
  'plays a rendition of 100 kB': {
    lie: only(isPlaylist, () => ({
      body: `#EXTM3U\n#EXT-X-STREAM-INF:${'A="b,",'.repeat(15_000)}BANDWIDTH=1\na.m3u8\n`,
    })),
    mayPass: ['learn', 'compare'],
  },
  'plays segments elsewhere': {
    lie: only(isPlaylist, () => ({
      body: `${head}#EXTINF:1,\nhttp://127.0.0.1:1/a.ts\n#EXTINF:1,\nfile:///etc/passwd\n`,
    })),
    mayPass: ['learn', 'compare'],
  },
  'plays nonsense': {
    lie: only(isMedia, () => ({ body: 'not media' })),
    mayPass: ['learn', 'compare'],
  },
  'plays nothing': { lie: only(isMedia, () => ({ body: '' })), mayPass: ['learn', 'compare'] },
  'says that an MP4 is long': {
    lie: only(isMp4, () => ({ body: Buffer.concat([box(16, 'ftyp'), box(0xffffffff, 'moov')]) })),
    mayPass: ['learn', 'compare'],
  },
  'sends an MP4 of empty boxes': {
    lie: only(isMp4, () => ({ body: Buffer.concat(new Array(100_000).fill(box(8, 'free'))) })),
    mayPass: ['learn', 'compare'],
  },
  'sends an MP4 of boxes without size': {
    lie: only(isMp4, () => ({ body: Buffer.concat(new Array(1_000).fill(box(0, 'moov'))) })),
    mayPass: ['learn', 'compare'],
  },
  'sends an MP4 without end': {
    lie: only(
      isMp4,
      repeats('HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\n\r\n', zeros.subarray(0, megabyte)),
    ),
    mayPass: ['learn', 'compare'],
  },
};

/** A hostile target that listens, with the addresses of its two interfaces. */
export interface ServedTarget {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly mayPass: readonly Tool[];
  close(): void;
}

/** Serves the hostile target that does this, on a free port; without its lies it is a mock. */
export async function serveHostile(does: string): Promise<ServedTarget> {
  const target = hostileTargets[does];
  if (target === undefined) throw new Error(`no hostile target ${does}`);
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer(async (request, response) => {
    const { socket, url = '/', method = 'GET' } = request;
    const index = requests++;
    response.on('error', () => {});
    const chunks = await request.toArray().catch(() => []);
    const { port } = server.address() as AddressInfo;
    const headers = Object.entries(request.headers).map(
      ([k, v]) => [k, String(v)] as [string, string],
    );
    const hasBody = !['GET', 'HEAD'].includes(method) && chunks.length > 0;
    const right = await mock.fetch(
      new Request(`http://127.0.0.1:${port}${url}`, {
        method,
        headers,
        ...(hasBody && { body: Buffer.concat(chunks) }),
      }),
    );
    const body = new Uint8Array(await right.arrayBuffer());
    const answer = {
      status: right.status,
      headers: Object.fromEntries(right.headers),
      body: isText(right) ? Buffer.from(body).toString() : body,
    };
    const changed = target.lie({ request, url, answer, socket, index });
    if (changed === undefined || socket.destroyed) return;
    const { status, headers: sent, body: written } = { ...answer, ...changed };
    const { 'content-length': _, ...rest } = sent;
    response.writeHead(status, rest).end(written);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `${origin}/api`,
    controlUrl: `${origin}/_mock`,
    mayPass: target.mayPass ?? [],
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function isText({ headers }: Response): boolean {
  return /json|mpegurl|text/.test(headers.get('content-type') ?? '');
}
