import { expect, test } from 'vitest';
import type { Send } from '../../conformance/target/exchange.ts';
import { findingsIn } from './against.test-support.ts';
import { requestOf } from './moves.ts';

/** A service that adds a header to every response. */
function adding(name: string, value: string): (send: Send) => Send {
  return (send) => async (request) => {
    const response = await send(request);
    response.headers.append(name, value);
    return response;
  };
}

const list = requestOf('listStreams');

test.each([
  ['allow', 'POST, GET', 'get, post'],
  ['retry-after', '2', '2'],
  ['www-authenticate', 'Bearer realm="a"', 'bearer'],
  ['etag', '"1"', 'present'],
  ['x-request-id', '1', undefined],
])('a header %s counts as what clients read of it', async (name, value, kind) => {
  const findings = await findingsIn(adding(name, value), [list]);
  const expected = kind === undefined ? [] : [{ where: `header ${name}`, kinds: [kind, 'absent'] }];
  expect(findings).toEqual(expected);
});
