import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { constants, createUnzip } from 'node:zlib';
import { type IncomingResponse, type OutgoingRequest, OutOfBounds } from './exchange.ts';
import { proxyOptions } from './proxy.ts';

/** Many servers close a connection that was idle for 5 s, so one that was idle for 2 s is not used again. */
const reusedOptions = { keepAlive: true, timeout: 2_000, ...proxyOptions };
const senders = {
  'http:': {
    request: requestHttp,
    reused: new Agent(reusedOptions),
    fresh: new Agent(proxyOptions),
  },
  'https:': {
    request: requestHttps,
    reused: new TlsAgent(reusedOptions),
    fresh: new TlsAgent(proxyOptions),
  },
} as const;

/**
 * Sends a request with the given headers and the few that HTTP requires. It does not follow redirects.
 * It decompresses gzip or deflate, at most once, as the body is read. If a target closes a connection
 * just when it is used again, the request is sent once more on a new one. A POST always gets a new
 * connection, as sending it twice may create two things.
 * @throws Error if the connection fails.
 */
export function sendHttp(url: string, init: OutgoingRequest): Promise<IncomingResponse> {
  return sendOver(init.method === 'POST' ? 'fresh' : 'reused', url, init);
}

function sendOver(
  connection: 'reused' | 'fresh',
  url: string,
  init: OutgoingRequest,
): Promise<IncomingResponse> {
  const { method = 'GET', headers, body, signal } = init;
  const address = new URL(url);
  const { request, [connection]: agent } = senders[address.protocol as keyof typeof senders];
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    const outgoing = request(address, {
      method,
      agent,
      signal,
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'livestream-mock',
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    outgoing.on('response', (started) => {
      response = started;
      // Errors in the body reach its reader. After the reader has stopped, nothing else listens for them.
      started.on('error', () => {});
      try {
        resolve(toIncomingResponse(started, method));
      } catch (exception) {
        reject(exception);
        outgoing.destroy();
      }
    });
    outgoing.on('error', (exception: NodeJS.ErrnoException) => {
      const wasClosed = exception.code === 'ECONNRESET' || exception.code === 'EPIPE';
      if (response === undefined && outgoing.reusedSocket && wasClosed) {
        resolve(sendOver('fresh', url, init));
      }
      reject(exception);
      response?.destroy(exception);
    });
    // A response that switches protocols does not count.
    outgoing.on('close', () => reject(new Error('the connection was closed')));
    outgoing.end(body);
  });
}

function toIncomingResponse(response: IncomingMessage, method: string): IncomingResponse {
  const { statusCode: status = 0, rawHeaders } = response;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  const isEmpty = method === 'HEAD' || status === 204 || status === 304;
  const body = isEmpty ? response : unpack(response);
  return { status, headers, body };
}

/**
 * The body of a response, which may be compressed although that was not requested. Brotli and Zstandard
 * are refused, as each response would take 16 MiB or more.
 */
function unpack(response: IncomingMessage): Readable {
  const coding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return response;
  if (!/^(x-)?gzip$|^deflate$/.test(coding)) {
    // The name may come from another origin, so only known names are shown.
    const name = /^(br|zstd)$/.test(coding) ? ` ${coding}` : '';
    const refusal = `its content-encoding${name} is not read: expected none, gzip or deflate`;
    return response.destroy(new OutOfBounds(refusal));
  }
  // A body that was cut off is read as far as possible, as browsers do.
  const unpacker = createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
  unpacker.on('error', () => {});
  return pipeline(response, unpacker, () => {});
}
