import { expect } from 'vitest';
import { sdkFields } from '../../interface/types.ts';
import { type ExportedState, stateLines } from '../service/exported-state.ts';

/** The fields of a new stream, as messages list them. */
export const newStreamKeys: string = ['name', 'profiles', 'record', ...sdkFields].join(', ');

/** What a test's request has besides its method and path. */
export interface RequestParts {
  /** Default: {@link testKey} as a bearer token; `null` for none. */
  readonly authorization?: string | null;
  /** Default: `application/json` if there is a body; `null` for none. */
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** Writes a state as it is sent. */
export function stateText(state: ExportedState): string {
  return [...stateLines(state)].join('');
}

/** The key that tests send. No text may ever show it. */
export const testKey = 'test-s3cret';

/** Makes a request from a line such as `POST /api/stream`. */
export function testRequest(line: string, parts: RequestParts = {}): Request {
  const { authorization = `Bearer ${testKey}`, body = null } = parts;
  const { type = body === null ? null : 'application/json' } = parts;
  const at = line.indexOf(' ');
  return new Request(`http://livestream.test${line.slice(at + 1)}`, {
    method: line.slice(0, at),
    headers: {
      ...(authorization !== null && { authorization }),
      ...(type !== null && { 'content-type': type }),
      ...parts.headers,
    },
    body: body instanceof Uint8Array ? new Blob([body]).stream() : body,
    ...(body !== null && { duplex: 'half' }),
  });
}

/**
 * Makes a request from how a table writes it: `[authorization none] [range bytes=0-9] POST /api/stream {}`. KEY stands
 * for the key of tests.
 */
export function readRequest(given: string): Request {
  const written = given.replaceAll('KEY', testKey);
  const [, named = '', line = '', body] = /^((?:\[.*?\] )*)(\S+ \S+) ?(.*)$/.exec(written) ?? [];
  const found = [...named.matchAll(/\[(\S+) ?(.*?)\]/g)];
  const all = found.map(([, name = '', value]) => [name, value === 'none' ? null : value] as const);
  const isPart = ([name]: readonly [string, unknown]) =>
    name === 'authorization' || name === 'type';
  return testRequest(line, {
    ...Object.fromEntries(all.filter(isPart)),
    headers: Object.fromEntries(all.filter((one) => !isPart(one))) as Record<string, string>,
    ...(body && { body }),
  });
}

/** The messages in a response, which must be a refusal in every way that a client can see. */
export async function readErrors(response: Response): Promise<readonly string[]> {
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('access-control-expose-headers')).toContain('retry-after');
  const body: unknown = await response.json();
  expect(body).toEqual({ errors: expect.any(Array) });
  const { errors } = body as { errors: unknown[] };
  expect(errors.length).toBeGreaterThan(0);
  for (const text of errors) {
    expect(text).toEqual(expect.stringMatching(/^.+: (expected .+, got|could not) .+$/s));
    expect(String(text).length).toBeLessThan(1000);
  }
  return errors as string[];
}
