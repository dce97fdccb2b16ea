import { connect } from 'node:net';
import fc from 'fast-check';

/** What a client does on a connection of its own. */
export interface SocketPlan {
  /** Latin-1: every character is a byte. */
  readonly bytes: string;
  /** Whether the client ends its side, or breaks the connection, after sending. */
  readonly after: 'wait' | 'end' | 'destroy';
}

/** All that a server at a port of this machine answers, until it or the client closes. */
export function talk(port: number, { bytes, after }: SocketPlan): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(bytes, 'latin1', () => {
        if (after === 'end') socket.end();
        if (after === 'destroy') socket.destroy();
      });
    });
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(answer));
  });
}

/** The statuses of the answers on one connection. */
export function statusesOf(answer: string): number[] {
  return [...answer.matchAll(/(?:^|\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
    Number(status),
  );
}

const authorization = 'Authorization: Bearer test-fuzz';
const latin1 = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

/** One of some texts, between which there is a bar. */
const oneOf = (texts: string): fc.Arbitrary<string> => fc.constantFrom(...texts.split(' | '));

const usual = `GET /api/stream HTTP/1.1 | POST /api/stream HTTP/1.1 | PUT /_mock/state HTTP/1.1 | DELETE /api/stream/x HTTP/1.1 | HEAD /api HTTP/1.1`;

const requestLine = fc.oneof(
  { weight: 4, arbitrary: oneOf(usual) },
  oneOf(
    'GET /api/stream HTTP/1.0 | GET /api/stream HTTP/9.9 | OPTIONS * HTTP/1.1 | GET * HTTP/1.1',
  ),
  oneOf(
    'GET http://evil.test/api/stream HTTP/1.1 | GET http://[/ HTTP/1.1 | GET ftp://a/ HTTP/1.1',
  ),
  oneOf(
    'GET //evil/../api/stream HTTP/1.1 | GET /\\evil HTTP/1.1 | GET ?a HTTP/1.1 | GET  HTTP/1.1',
  ),
  oneOf('TRACE /api/stream HTTP/1.1 | CONNECT a:80 HTTP/1.1 | BREW /api/stream HTTP/1.1 | '),
  oneOf('get /api/stream HTTP/1.1 | GET /api/stream | PRI * HTTP/2.0 | GET /%zz%ff HTTP/1.1'),
  oneOf('GET /api/\0 HTTP/1.1 | GET /api/\xff HTTP/1.1 | GET /api/stream#a HTTP/1.1'),
  latin1.map((text) => `GET /api/${text} HTTP/1.1`),
  latin1,
);

const host = fc.oneof(
  { weight: 10, arbitrary: fc.constant('Host: a.test') },
  oneOf(' | Host: | Host: a b | Host: a/b | Host: [::1 | Host: a:99999 | Host: u:p@a | Host: %41'),
  oneOf('Host: 1.2.3.4.5 | Host: 256.256.256.256 | Host: xn--a | Host: a.123 | Host: \xe9'),
  oneOf('Host: a\r\nHost: b | Host: [::1]:80 | Host: a#b | Host: ..'),
  latin1.map((text) => `Host: ${text}`),
);

const extra = fc.oneof(
  { weight: 3, arbitrary: oneOf('Accept: */* | Cookie:  | Connection: close') },
  oneOf('X: a\0b | : empty | no colon |  folded: a | X : a | __proto__: a | Expect: 100-continue'),
  oneOf('Expect: a | Connection: upgrade\r\nUpgrade: websocket | Transfer-Encoding: gzip'),
  oneOf(`${authorization} | X: \x7f | Access-Control-Request-Headers: \xff, \t`),
  fc.integer({ min: 100, max: 3_000 }).map((count) => 'a:b\r\n'.repeat(count).trimEnd()),
  fc.integer({ min: 1_000, max: 40_000 }).map((length) => `X: ${'a'.repeat(length)}`),
  latin1,
);

const named = '\r\n\r\n{"name":"a"}';
const framedBody = fc.oneof(
  { weight: 2, arbitrary: oneOf(`\r\n | Content-Length: 12${named}`) },
  oneOf(`Content-Length: 5${named} | Content-Length: 50${named} | Content-Length: -5${named}`),
  oneOf('Content-Length: 1\r\nContent-Length: 2\r\n\r\n{} | Content-Length: 0x2\r\n\r\n{}'),
  fc.constantFrom(
    'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    `Content-Length: 999999999\r\n\r\n${'x'.repeat(150_000)}`,
    chunks(`${'8000\r\n'.concat('x'.repeat(0x8000), '\r\n').repeat(5)}0\r\n\r\n`),
  ),
  oneOf('zz\r\n{}\r\n0\r\n\r\n | 2\r\n{} | 2\r\n{}zz | 2;a=b\r\n{}\r\n0\r\nA: b\r\n\r\n').map(
    chunks,
  ),
  oneOf(`ffffffffffffffffff\r\n{} | -1\r\n{} | 2;${'a'.repeat(20_000)}\r\n{}`).map(chunks),
  latin1.map((text) => chunks(text)),
  latin1.map((text) => `Content-Length: ${text.length}\r\n\r\n${text}`),
);

function chunks(text: string): string {
  return `Transfer-Encoding: chunked\r\n\r\n${text}`;
}

/** Connections on which what comes is mostly no HTTP. */
export const socketPlans: fc.Arbitrary<SocketPlan> = fc.record({
  bytes: fc
    .tuple(requestLine, host, fc.array(extra, { maxLength: 2 }), framedBody, fc.boolean())
    .map(([line, name, extras, body, known]) => {
      const type = 'Content-Type: application/json';
      const headers = [name, ...(known ? [authorization] : []), type, ...extras];
      return `${[line, ...headers.filter((text) => text !== '')].join('\r\n')}\r\n${body}`;
    }),
  after: fc.constantFrom('end', 'end', 'end', 'destroy'),
});
