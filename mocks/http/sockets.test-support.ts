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

const latin1 = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

/** One of some texts, between which there is a bar; or seldom any bytes. */
function oneOf(...texts: string[]): fc.Arbitrary<string> {
  const known = fc.constantFrom(...texts.flatMap((text) => text.split(' | ')));
  return fc.oneof({ weight: 5, arbitrary: known }, latin1);
}

const requestLine = oneOf(
  'GET /api/stream HTTP/1.1 | POST /api/stream HTTP/1.1 | PUT /_mock/state HTTP/1.1',
  'GET /api/stream HTTP/1.0 | GET /api/stream HTTP/9.9 | OPTIONS * HTTP/1.1 | GET * HTTP/1.1',
  'GET http://evil.test/api/stream HTTP/1.1 | GET http://[/ HTTP/1.1 | GET ftp://a/ HTTP/1.1',
  'GET //evil/../api/stream HTTP/1.1 | GET /\\evil HTTP/1.1 | GET ?a HTTP/1.1 | GET  HTTP/1.1',
  'TRACE /api/stream HTTP/1.1 | CONNECT a:80 HTTP/1.1 | BREW /api/stream HTTP/1.1 | ',
  'get /api/stream HTTP/1.1 | GET /api/stream | PRI * HTTP/2.0 | GET /%zz%ff HTTP/1.1',
  'GET /api/\0 HTTP/1.1 | GET /api/\xff HTTP/1.1 | GET /api/stream#a HTTP/1.1',
);

const usualHost = fc.constant('Host: a.test');
const host = oneOf(
  ' | Host: | Host: a b | Host: a/b | Host: [::1 | Host: a:99999 | Host: u:p@a | Host: %41',
  'Host: 1.2.3.4.5 | Host: xn--a | Host: \xe9 | Host: a\r\nHost: b | Host: a#b | Host: ..',
);

const extra = oneOf(
  'Authorization: Bearer test-fuzz | Connection: close | X: a\0b | : empty | no colon |  folded: a',
  'X : a | __proto__: a | Expect: 100-continue | Expect: a | Connection: upgrade\r\nUpgrade: websocket',
  'Transfer-Encoding: gzip | X: \x7f | Access-Control-Request-Headers: \xff, \t',
  'a:b\r\n'.repeat(3_000).trimEnd(),
  `X: ${'a'.repeat(40_000)}`,
);

const named = '\r\n\r\n{"name":"a"}';
const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
const framedBody = oneOf(
  `\r\n | Content-Length: 12${named} | Content-Length: 5${named} | Content-Length: 50${named}`,
  `Content-Length: -5${named} | Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
  `Content-Length: 2\r\n${chunked}{} | Content-Length: 999999999\r\n\r\n${'x'.repeat(150_000)}`,
  `${chunked}${`8000\r\n${'x'.repeat(0x8000)}\r\n`.repeat(5)}0\r\n\r\n`,
  `${chunked}zz\r\n{}\r\n0\r\n\r\n | ${chunked}2\r\n{} | ${chunked}2;a=b\r\n{}\r\n0\r\nA: b\r\n\r\n`,
  `${chunked}ffffffffffffffffff\r\n{} | ${chunked}-1\r\n{} | ${chunked}2;${'a'.repeat(20_000)}\r\n{}`,
);

/** Connections on which what comes is mostly no HTTP. */
export const socketPlans: fc.Arbitrary<SocketPlan> = fc.record({
  bytes: fc
    .tuple(requestLine, fc.oneof(usualHost, host), fc.array(extra, { maxLength: 2 }), framedBody)
    .map(([line, name, extras, body]) => {
      const headers = [name, 'Content-Type: application/json', ...extras];
      return `${[line, ...headers.filter((text) => text !== '')].join('\r\n')}\r\n${body}`;
    }),
  after: fc.constantFrom('end', 'end', 'end', 'destroy'),
});
