import { describe, expect, test } from 'vitest';
import { serveSecondImplementation } from '../conformance/second-implementation.test-support.ts';
import { type Cell, isRefusal } from '../interface/dialect/cells.ts';
import type { Endpoint, ErrorId } from '../interface/dialect/errors.ts';
import { resolveDialect } from '../interface/dialect/resolve.ts';
import { driftFrom } from './learn/drift.ts';
import { learn } from './learn/learn.ts';

/** A refusal by the error object of the second implementation. */
function object(status: number, code: string, details: Record<string, string> = {}): Cell {
  const error = { status: '{status}', code, message: '{message}', details };
  return { status, body: { type: 'application/vnd.error+json', json: { error } } };
}

const empty = (status: number): Cell => ({ status, body: 'empty' });
const text = (status: number): Cell => ({ status, body: { type: 'text/plain' } });
const field = { field: '{message}' };

/** How the second implementation refuses, as was written down with it. */
const expected: readonly (readonly [Endpoint, ErrorId, Cell])[] = [
  ['createStream', 'key:none', empty(401)],
  ['listSessionsOfStream', 'key:wrong', object(403, 'KEY_REFUSED')],
  ['createStream', 'body:malformed', object(422, 'BODY_NOT_JSON')],
  ['createStream', 'body:none', object(411, 'BODY_MISSING')],
  ['createStream', 'body:type:form', object(406, 'CONTENT_TYPE_REFUSED')],
  ['createStream', 'body:large', { ...text(400), above: 65_536, below: 102_400 }],
  ['createStream', 'field:name:missing', object(400, 'FIELD_MISSING', field)],
  ['createStream', 'field:name:number', object(412, 'FIELD_TYPE', field)],
  [
    'createStream',
    'field:name:large',
    { ...object(412, 'FIELD_RANGE', field), above: 255, below: 1_000 },
  ],
  ['createStream', 'field:profiles[].width:zero', object(412, 'FIELD_RANGE', field)],
  ['createStream', 'field:profiles[].fps:zero', { as: 'kept' }],
  ['createStream', 'field:profiles:equal', { as: 'kept' }],
  ['createStream', 'field:unknown:given', { as: 'dropped' }],
  ['createStream', 'field:record:null', { as: 'dropped' }],
  ['setRecord', 'field:unknown:given', object(412, 'FIELD_UNKNOWN', field)],
  ['setRecord', 'id:unknown', object(404, 'RESOURCE_UNKNOWN')],
  ['setRecord', 'id:malformed', object(400, 'ID_MALFORMED')],
  ['setRecord', 'id:session', object(423, 'SESSION_READ_ONLY')],
  ['setRecord', 'state:live', object(409, 'STREAM_LIVE')],
  ['deleteStream', 'id:deleted', object(410, 'STREAM_GONE')],
  ['retrieveStream', 'id:other-key', object(403, 'RESOURCE_FORBIDDEN')],
  ['retrieveSession', 'id:stream', object(400, 'NOT_A_SESSION')],
  ['listStreams', 'query:unknown:given', object(400, 'QUERY_UNKNOWN', field)],
  ['listStreams', 'query:cursor:unknown', object(416, 'CURSOR_INVALID', field)],
  ['updateStream', 'operation:given', empty(405)],
  ['unknownRoute', 'path:unknown', text(404)],
];

let learning: ReturnType<typeof learnTwiceNow> | undefined;

/** Learns twice how the second implementation behaves, when it is first asked for. */
function learnTwice() {
  learning ??= learnTwiceNow();
  return learning;
}

async function learnTwiceNow() {
  // Learning reads no media, so there is none.
  const { controlUrl, ...target } = await serveSecondImplementation(import.meta.dirname);
  const options = { ...target, provider: { controlUrl } };
  const first = await learn(options);
  const second = await learn(options);
  return { first, second, resolved: resolveDialect(first.dialect) };
}

describe('of an implementation that shares nothing with the mock,', { timeout: 120_000 }, () => {
  test('two runs learn the same bytes', async () => {
    const { first, second } = await learnTwice();
    expect(JSON.stringify(second.dialect)).toBe(JSON.stringify(first.dialect));
  });

  test('a second run finds no drift', async () => {
    const { first, second } = await learnTwice();
    const none = { changes: [], unknown: [], appeared: [] };
    expect(driftFrom(first.dialect, second.observed)).toEqual(none);
  });

  test.each(expected)('%s %s is learned as documented', async (endpoint, error, cell) => {
    const { resolved } = await learnTwice();
    const learned = resolved.cells[endpoint][error];
    const { refusalBody } = resolved;
    const shown = isRefusal(learned) ? { body: refusalBody, ...learned } : learned;
    expect(shown).toEqual(cell);
  });

  test('the orders of its checks are learned', async () => {
    const { resolved } = await learnTwice();
    expect(resolved.orders).toMatchObject({
      setRecord: ['key', 'no-key', 'id', 'body', 'fields', 'state'],
      unknownRoute: ['route', 'key', 'body', 'no-key'],
      reported: 'first',
    });
  });

  test('its behaviours are learned', async () => {
    const { resolved } = await learnTwice();
    expect(resolved.behaviours).toMatchObject({
      'create.location': 'present',
      'record.default': true,
      'delete.leaves': 'sessions',
      'list.page-size': { listStreams: 5, listSessionsOfStream: 5, listSessions: 5 },
      'list.order': { listStreams: 'oldest-first', listSessionsOfStream: 'oldest-first' },
      'sessions.appear': { listSessionsOfStream: 'at-end', listSessions: 'at-end' },
      'sessions.status': { beforeReady: 'processing', unrecorded: 'disabled' },
      'http.etag': 'conditional',
      'http.head': { status: 405 },
      'auth.challenge': 'present',
    });
  });

  test('the sessions of deleted streams, which it keeps, are all that is left', async () => {
    const { first } = await learnTwice();
    for (const line of first.leftBehind) expect(line).toMatch(/^(session|recording) /);
  });
});
