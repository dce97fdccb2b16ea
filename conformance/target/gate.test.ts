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
  const creations = ['POST /stream', 'POST /STREAM/', `DELETE ${unknownPath}`];
  const reads = ['GET /stream/other', 'OPTIONS /stream'];
  const own = ['own/', '%6Fwn', 'child', 'started', 'undefined', unknownId].map(
    (id) => `DELETE /stream/${id}`,
  );
  const below = ['PATCH /stream/own/record', 'POST /session/child'];
  const controls = ['POST /control/streams/own/start', 'POST /control/streams/own/stop'];
  test.each([...creations, ...reads, ...own, ...below, ...controls])('%s', (line) => {
    expect(() => admit(line)).not.toThrow();
    expect(() => gate.throwRefused()).not.toThrow();
  });
});

describe('is refused', () => {
  const ofOthers = ['other', 'of-other', 'Named', 'Users', 'unlisted', 'own-playback', 'recorded'];
  const disguised = ['OWN', '%4Eamed', '%254Eamed', 'own%2F..%2FNamed', 'own/%2e%2e/Named'];
  const ambiguous = [
    'own\\..\\Named',
    'own;Named',
    'own%00',
    '%2e%2e',
    'own?id=Named',
    'own/a/b',
    '',
  ];
  const deletions = [...ofOthers, 'without-parent', ...disguised, ...ambiguous].map(
    (id) => `DELETE /stream/${id}`,
  );
  const elsewhere = ['DELETE /stream', 'DELETE //stream/own', 'DELETE /streams/own', 'POST /a'];
  const others = [
    'POST /stream?id=Named',
    'PATCH /stream/recorded/record',
    'POST /streams/own/start',
  ];
  const controls = [
    ...['POST /control/streams/other/start', 'POST /control/streams/own%2F..%2FNamed/start'],
    ...['POST /control/streams/own/pause', 'DELETE /control/streams/own'],
  ];
  test.each([...deletions, ...elsewhere, ...others, ...controls])('%s', (line) => {
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
  const known = ['NAMED', 'Users', 'users-playback', 'unlisted', 'of-other'];
  const disguised = ['own/Users', 'own\uff0fusers', 'own%2Fother', '%2e%2e', 'other?', '%256fther'];
  test.each([...known, ...disguised])('the id %s', (id) => {
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

test('an id may have a slash, and a parent that is null', () => {
  respond('POST', '/stream', { id: 'alone', parentId: null }, 201);
  expect(gate.owns('alone')).toBe(true);
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

  const toOthers = ['DELETE /stream', 'POST /STREAM/other/clips', 'POST /%73tream/other'];
  const disguised = ['POST /a/..%2Fstream%2Fother', 'POST /a%3Fb', 'POST /webhook?id=a'];
  const named = ['DELETE /asset/Named', 'DELETE /asset//', 'POST /control/streams/other/start'];
  test.each([...toOthers, ...disguised, ...named])(
    'does not pass for what the run did not create: %s',
    (line) => {
      expect(allow(line)).toBe(false);
      expect(() => admit(line)).toThrow(ForeignWrite);
    },
  );

  test('does not pass elsewhere than below the base address, or where none may be sent', () => {
    expect(gate.allow({ method: 'POST', url: 'http://other.test/api/webhook' })).toBe(false);
    gate.forbidWrites();
    expect(allow('POST /webhook')).toBe(false);
  });
});
