import { beforeEach, describe, expect, test } from 'vitest';
import { createGate, ForeignWrite, unknownId, unknownPath, type WriteGate } from './gate.ts';

const base = 'http://service.test/api';
const control = 'http://service.test/api/control';
/** What a target shows before the first creation. */
const before = {
  data: {
    items: [
      { id: 'Users', playbackId: 'users-playback' },
      { id: 'of', parentId: 'unlisted' },
    ],
  },
};
let gate: WriteGate;

beforeEach(() => {
  gate = createGate();
  gate.addBase(base);
  gate.addControl(`${control}/`);
  respond('GET', '/stream', before);
  gate.protect('Named');
  respond('POST', '/stream', { id: 'own', playbackId: 'own-playback' }, 201);
  respond('POST', '/control/streams/own/start', { id: 'started' }, 201);
  respond('GET', '/stream', [
    { id: 'child', parentId: 'own' },
    { id: 'other' },
    { id: 'of-other', parentId: 'other' },
  ]);
  respond('GET', '/stream/Named', { id: 'Named', record: true });
  respond('GET', '/stream/Named/sessions?record=1', [
    { id: 'recorded', parentId: 'Named', record: true },
    { id: 'unrecorded', parentId: 'Named', record: false },
    { id: 'without-parent', record: true },
  ]);
});

function respond(method: string, path: string, body: unknown, status = 200): void {
  const request = { method, url: base + path };
  gate.admit(request);
  gate.learn(request, { status, json: body });
}

function admit(line: string): void {
  const [method, path] = line.split(' ');
  gate.admit({ method, url: base + path });
}

describe('passes', () => {
  test.each([
    'GET /stream/other',
    'HEAD /anything',
    'OPTIONS /stream',
    'POST /stream',
    'POST /STREAM/',
    'PATCH /stream/own/record',
    'PATCH /STREAM/own/RECORD',
    'PUT /stream/own',
    'DELETE /stream/own/',
    'DELETE /stream/own/terminate',
    'DELETE /stream/%6Fwn',
    'DELETE /stream/child',
    'POST /session/child',
    'PATCH /stream/started/record',
    `PATCH /stream/${unknownId}/record`,
    'DELETE /stream/undefined',
    `DELETE ${unknownPath}`,
    'POST /control/streams/own/start',
    'POST /control/streams/own/stop',
  ])('%s', (line) => {
    expect(() => admit(line)).not.toThrow();
    expect(() => gate.throwRefused()).not.toThrow();
  });
});

describe('is refused', () => {
  test.each([
    'DELETE /stream',
    'PUT /stream',
    'PATCH /session',
    'DELETE /stream/',
    'DELETE /stream//own',
    'DELETE /stream/own/a/b',
    'DELETE /stream/OWN',
    'DELETE /stream/other',
    'DELETE /stream/of-other',
    'PATCH /stream/of-other/record',
    'POST /stream/other',
    'POST /anything',
    'DELETE /anything/own/other/child',
    'POST /control/streams/other/start',
    'DELETE /stream/Named',
    'DELETE /stream/nAMED',
    'DELETE /stream/%4Eamed',
    'DELETE /stream/%254Eamed',
    'DELETE /stream/own%2F..%2FNamed',
    'DELETE /stream/own/../Named',
    'DELETE /stream/own/%2e%2e/Named',
    'DELETE /stream/own%252f..%252fNamed',
    'DELETE /stream/own\\..\\Named',
    'DELETE /stream/own%5cNamed',
    'DELETE /stream/own;Named',
    'DELETE /stream/own%00',
    'DELETE /stream/%2Fown',
    'DELETE /stream/..',
    'DELETE /stream/%2e%2e',
    'DELETE /stream/own?id=Named',
    'DELETE /stream/own%3Fid=Named',
    'PATCH /stream/own/record?id=Named',
    'POST /stream?id=Named',
    'DELETE //stream/own',
    'DELETE /stream//Named',
    'DELETE /streams/own',
    'DELETE /playback/own',
    'DELETE /playback/own-playback',
    'DELETE /stream/own-playback',
    'DELETE /stream/Users',
    'DELETE /stream/users-playback',
    'DELETE /stream/unlisted',
    'POST /streams/own/start',
    'PUT /control/streams/own/start',
    'DELETE /control/streams/own',
    'DELETE /control/stream/own',
    'POST /control/streams/own/pause',
    'POST /control/streams/own%2F..%2FNamed/start',
    'POST /control/streams/Users/start',
    'DELETE /stream/recorded/terminate',
    'PATCH /stream/recorded/record',
    'DELETE /stream/recorded',
    'DELETE /stream/without-parent',
    'POST /control/streams/Named/start',
  ])('%s', (line) => {
    expect(() => admit(line)).toThrow(ForeignWrite);
    expect(() => gate.throwRefused()).toThrow(ForeignWrite);
  });

  test('a write to another address', () => {
    const url = 'http://service.test/apis/stream';
    expect(() => gate.admit({ method: 'POST', url })).toThrow(
      'POST /apis/stream was not sent, as it may change what this run did not create',
    );
    for (const other of ['https://service.test/api', 'http://service.test:81/api', control]) {
      expect(() => gate.admit({ method: 'POST', url: `${other}/stream` })).toThrow(ForeignWrite);
    }
  });

  test('every write, where none may be sent', () => {
    gate.forbidWrites();
    expect(() => admit('POST /stream')).toThrow(ForeignWrite);
    expect(() => admit('GET /stream')).not.toThrow();
  });
});

describe('never becomes one of the run', () => {
  test.each([
    ['named by the user', 'NAMED'],
    ['of a session of that', 'recorded'],
    ['shown before the first creation', 'Users'],
    ['of that in another case', 'users'],
    ['shown before as a playback id', 'users-playback'],
    ['shown before as a parent', 'unlisted'],
    ['shown with another parent', 'of-other'],
    ['with a slash before that', 'own/Users'],
    ['with a wide slash before that', 'own\uff0fusers'],
    ['with an encoded slash', 'own%2Fother'],
    ['that goes up', 'own/../other'],
    ['with a slash at its end', 'own/'],
    ['of another path', '..'],
    ['of another path, encoded', '%2e%2e'],
    ['with a query', 'other?'],
    ['with a space', ' other'],
    ['that is decoded twice', '%256fther'],
  ])('an id %s', (_, id) => {
    respond('POST', '/stream', { id }, 201);
    respond('POST', '/control/streams/own/start', { id, parentId: 'own' }, 201);
    respond('GET', '/stream', [{ id, parentId: 'own' }]);
    respond('GET', '/stream/own/sessions', { sessions: [{ id, parentId: 'own' }] });
    expect(gate.owns(id)).toBe(false);
    expect(gate.owns('own')).toBe(true);
  });

  test.each(['child', 'started', 'own'])('%s, once it shows the parent of another', (id) => {
    expect(gate.owns(id)).toBe(true);
    respond('GET', `/stream/${id}`, { id, parentId: 'other' });
    respond('GET', `/stream/${id}`, { id, parentId: 'own' });
    respond('POST', '/stream', { id }, 201);
    expect(gate.owns(id)).toBe(false);
  });

  test('what a creation is answered with that shows the parent of another', () => {
    respond('POST', '/control/streams/own/start', { id: 'session', parentId: 'other' }, 201);
    expect(gate.owns('session')).toBe(false);
  });

  test('what anything else than a creation is answered with', () => {
    respond('POST', '/stream/own', { id: 'answered' }, 201);
    respond('POST', '/control/streams/own/stop', { id: 'answered' }, 201);
    respond('PATCH', '/stream/own/record', { id: 'answered' }, 201);
    expect(gate.owns('answered')).toBe(false);
  });
});

test('an id may have a slash', () => {
  respond('POST', '/stream', { id: 'an/id' }, 201);
  expect(() => admit('DELETE /stream/an%2Fid')).not.toThrow();
  expect(() => admit('DELETE /stream/an/id')).toThrow(ForeignWrite);
});

test('the control API may lie above the interface, or have its address', () => {
  for (const controlUrl of ['http://service.test', base]) {
    gate.addControl(controlUrl);
    const start = (id: string) => ({ method: 'POST', url: `${controlUrl}/streams/${id}/start` });
    expect(() => gate.admit(start('own'))).not.toThrow();
    expect(() => gate.admit(start('other'))).toThrow(ForeignWrite);
    expect(() => gate.admit({ method: 'POST', url: 'http://service.test/stream' })).toThrow();
  }
});

test('a stream whose parent is null is one that the run created', () => {
  respond('POST', '/stream', { id: 'without-parent-of-its-own', parentId: null }, 201);
  expect(gate.owns('without-parent-of-its-own')).toBe(true);
});

test('a refused creation creates nothing', () => {
  respond('POST', '/stream', { id: 'refused' }, 409);
  expect(gate.owns('refused')).toBe(false);
});

describe('a write to which the user consented', () => {
  const allow = (line: string): boolean => {
    const [method, path] = line.split(' ');
    return gate.allow({ method, url: base + path });
  };

  test('passes at that path, and with that method', () => {
    expect(allow('POST /webhook')).toBe(true);
    expect(() => admit('POST /webhook')).not.toThrow();
    for (const line of ['DELETE /webhook', 'POST /webhook/a', 'POST /webhook?id=a']) {
      expect(() => admit(line)).toThrow(ForeignWrite);
    }
  });

  test('passes below a stream of the run', () => {
    expect(allow('POST /stream/own/clips')).toBe(true);
  });

  test.each([
    'DELETE /stream',
    'DELETE /streams',
    'POST /STREAM/other/clips',
    'POST /%73tream/other',
    'POST /a/..%2Fstream%2Fother',
    'POST /a/../stream/other',
    'POST /a%3Fb',
    'POST /webhook?id=a',
    'DELETE /session/recorded',
    'DELETE /asset/Named',
    'DELETE /asset/USERS',
    'DELETE /asset//',
    'POST /control/streams/other/start',
  ])('does not pass for what the run did not create: %s', (line) => {
    expect(allow(line)).toBe(false);
    expect(() => admit(line)).toThrow(ForeignWrite);
  });

  test('does not pass elsewhere than below the base address, or where none may be sent', () => {
    expect(gate.allow({ method: 'POST', url: 'http://other.test/api/webhook' })).toBe(false);
    gate.forbidWrites();
    expect(allow('POST /webhook')).toBe(false);
  });
});
