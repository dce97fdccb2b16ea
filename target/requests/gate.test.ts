import { beforeEach, describe, expect, test } from 'vitest';
import { Blocked } from './failure.ts';
import { createGate, ForeignWrite, type WriteGate } from './gate.ts';
import { markedName } from './run-names.ts';
import { idEndings, unknownId, unknownPath } from './well-known.ts';

const base = 'http://service.test/api';
const control = 'http://service.test/api/control';
/** What a target shows before the first creation. */
const foreignItems = [
  { id: 'Users', playbackId: 'users-playback' },
  { id: 'of', parentId: 'unlisted' },
];
let gate: WriteGate;

beforeEach(() => {
  gate = createGate();
  gate.addBase(base);
  gate.addControl(`${control}/`);
  respond('GET', '/stream', { data: { items: foreignItems } });
  gate.protect('Named');
  create({ id: 'own', playbackId: 'own-playback' });
  create({ id: 'also-own' });
  respond('POST', '/control/streams/own/start', { id: 'started', parentId: 'own' }, 201);
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

/** A creation with a name that is marked as the run's. */
function create(
  body: unknown,
  { sent = JSON.stringify({ name: markedName('a') }), date = '' } = {},
) {
  const request = { method: 'POST', url: `${base}/stream` };
  gate.admit(request);
  gate.learn(request, { status: 201, json: body, sent, headers: new Headers({ date }) });
}

function admit(line: string): void {
  const [method, path] = line.split(' ');
  gate.admit({ method, url: base + path });
}

test.each([
  ...['POST /stream', 'POST /STREAM/', `DELETE ${unknownPath}`, 'GET /stream/other'],
  ...['OPTIONS /stream', 'PATCH /stream/own/record', 'POST /session/child'],
  ...['POST /stream/own/start-pull', 'POST /stream?livestreamMockUnknown=1'],
  'PATCH /stream/own/record?livestreamMockUnknown=text',
  ...['POST /control/streams/own/start', 'POST /control/streams/own/stop'],
  ...['own/', 'child', 'started', 'undefined', unknownId].map((id) => `DELETE /stream/${id}`),
])('%s passes', (line) => {
  expect(() => admit(line)).not.toThrow();
  expect(() => gate.throwRefused()).not.toThrow();
});

const notOwned = [
  ...['other', 'of-other', 'Named', 'Users', 'unlisted', 'own-playback', 'recorded'],
  ...['without-parent', 'OWN', '%6Fwn', '%4Eamed', '%254Eamed'],
  ...['own%2F..%2FNamed', 'own/%2e%2e/Named'],
  ...['own\\..\\Named', 'own;Named', 'own%00', '%2e%2e', 'own?id=Named', 'own/a/b', ''],
];

test.each([
  ...notOwned.map((id) => `DELETE /stream/${id}`),
  ...['DELETE /stream', 'DELETE //stream/own', 'DELETE /streams/own', 'POST /a'],
  ...['PATCH /stream/other/record?livestreamMockUnknown=1', 'POST /stream?livestreamMockUnknown=2'],
  ...['POST /stream?livestreamMockUnknown=1&id=Named', 'POST /stream?id=Named'],
  ...['PATCH /stream/recorded/record', 'POST /streams/own/start'],
  ...['POST /control/streams/other/start', 'POST /control/streams/own%2F..%2FNamed/start'],
  ...['POST /control/streams/own/pause', 'DELETE /control/streams/own'],
])('%s is refused', (line) => {
  expect(() => admit(line)).toThrow(ForeignWrite);
  expect(() => gate.throwRefused()).toThrow(ForeignWrite);
});

test('a write to another address is refused', () => {
  const url = 'http://service.test/apis/stream';
  expect(() => gate.admit({ method: 'POST', url })).toThrow(
    'POST /apis/stream was not sent, as it may change what this run did not create',
  );
  for (const other of ['https://service.test/api', 'http://service.test:81/api', control]) {
    expect(() => gate.admit({ method: 'POST', url: `${other}/stream` })).toThrow(ForeignWrite);
  }
});

test('every write is refused in a read-only run', () => {
  gate.forbidWrites();
  expect(() => admit('POST /stream')).toThrow(ForeignWrite);
  expect(() => admit('GET /stream')).not.toThrow();
});

test.each([
  ...['NAMED', 'Users', 'users-playback', 'unlisted', 'of-other'],
  ...['an/id', 'own/Users', 'own\uff0fusers', 'own%2Fother', '%2e%2e', 'other?', '%256fther'],
])('the id %s never belongs to the run', (id) => {
  create({ id });
  respond('POST', '/control/streams/own/start', { id, parentId: 'own' }, 201);
  respond('GET', '/stream', [{ id, parentId: 'own' }]);
  respond('GET', '/stream/own/sessions', { sessions: [{ id, parentId: 'own' }] });
  expect([gate.owns(id), gate.owns('own')]).toEqual([false, true]);
});

test.each(['child', 'started', 'own'])(
  '%s no longer belongs to the run once the target shows another stream as its parent',
  (id) => {
    expect(gate.owns(id)).toBe(true);
    respond('GET', `/stream/${id}`, { id, parentId: 'other' });
    respond('GET', `/stream/${id}`, { id, parentId: 'own' });
    create({ id });
    expect(gate.owns(id)).toBe(false);
  },
);

test.each([
  ['POST /control/streams/own/start', { parentId: 'other' }],
  ['POST /stream/own', {}],
  ['POST /control/streams/own/stop', {}],
  ['PATCH /stream/own/record', {}],
])('an id in the response to %s, with %j, does not belong to the run', (line, more) => {
  const [method = '', path = ''] = line.split(' ');
  respond(method, path, { id: 'answered', ...more }, 201);
  expect(gate.owns('answered')).toBe(false);
});

test('a stream whose parent is null belongs to the run', () => {
  create({ id: 'alone', parentId: null });
  expect(gate.owns('alone')).toBe(true);
});

const date = 'Sun, 29 Nov 2026 12:00:00 GMT';
const now = Date.parse(date);

test.each([
  ['now', now],
  ['19 minutes before', now - 19 * 60_000],
  ['an hour later', now + 3_600_000],
  ['in seconds', Math.floor(now / 1_000)],
  ['in microseconds', now * 1_000],
  ['a text', new Date(now).toISOString()],
  ['a word', 'yesterday'],
  ['nothing', undefined],
  ['null', null],
  ['zero', 0],
])('a new stream belongs to the run if its createdAt is %s', (_, createdAt) => {
  create({ id: 'new', createdAt }, { date });
  expect(gate.owns('new')).toBe(true);
});

test.each([
  ['milliseconds', now - 21 * 60_000],
  ['seconds', Math.floor(now / 1_000) - 21 * 60],
  ['microseconds', (now - 21 * 60_000) * 1_000],
  ['nanoseconds', (now - 21 * 60_000) * 1_000_000],
  ['digits', String(now - 21 * 60_000)],
  ['text', new Date(now - 21 * 60_000).toISOString()],
])(
  'a stream whose createdAt lies 21 minutes before the response, in %s, is not touched',
  (_, createdAt) => {
    create({ id: 'old', createdAt }, { date });
    expect(gate.owns('old')).toBe(false);
    expect(gate.whyNotOwn('old')).toContain('over 20 minutes before');
    expect(() => admit('DELETE /stream/old')).toThrow('the stream is not touched');
  },
);

test('a new stream that the service shows as the child of another is not touched', () => {
  create({ id: 'a-session', parentId: 'other' });
  expect(gate.whyNotOwn('a-session')).toContain('may be a session');
});

test('a session that is older than the streams of the run does not belong to it, whatever its parentId says', () => {
  create({ id: 'dated', createdAt: now }, { date });
  respond('GET', '/stream/dated/sessions', [
    { id: 'yesterdays', parentId: 'dated', createdAt: now - 86_400_000 },
    { id: 'its-own', parentId: 'dated', createdAt: now - 5_000 },
  ]);
  expect([gate.owns('yesterdays'), gate.owns('its-own')]).toEqual([false, true]);
});

test('where the service shows another stream for an unknown id, only streams of the run are written to', () => {
  respond('DELETE', '/stream/also-own', {}, 204);
  const unused = [`DELETE /stream/${unknownId}`, 'DELETE /stream/also-own', 'DELETE /stream/child'];
  for (const line of unused) expect(() => admit(line)).not.toThrow();
  respond('GET', `/stream/${unknownId}`, { id: 'Users' });
  for (const line of unused) expect(() => admit(line)).toThrow(Blocked);
  expect(() => admit('DELETE /stream/own')).not.toThrow();
  expect(() => gate.throwRefused()).not.toThrow();
});

test.each(['own', 'OWN', 'started', 'child'])(
  'what belonged to the run no longer does once another creation returns %s, and that is no bug',
  (id) => {
    create({ id });
    const lost = id === 'OWN' ? 'own' : id;
    expect([gate.owns(lost), gate.owns(id), gate.owns('also-own')]).toEqual([false, false, true]);
    expect(gate.whyNotOwn(id)).toBeDefined();
    expect(() => admit(`DELETE /stream/${lost}`)).toThrow(Blocked);
    expect(() => gate.throwRefused()).not.toThrow();
  },
);

test('the sessions of a stream leave the run with it', () => {
  create({ id: 'own' });
  expect([gate.owns('started'), gate.owns('child')]).toEqual([false, false]);
});

test('nothing belongs to the run until two creations returned different ids', () => {
  gate = createGate();
  gate.addBase(base);
  create({ id: 'first' });
  expect([gate.owns('first'), gate.needsAnother('first')]).toEqual([false, true]);
  expect(() => admit('DELETE /stream/first')).toThrow(Blocked);
  create({ id: 'second' });
  expect([gate.owns('first'), gate.owns('second')]).toEqual([true, true]);
});

test('a stream that was created without a name of the run is its own unless its date lies before the run', () => {
  create({ id: 'dated', createdAt: now }, { date });
  create({ id: 'nameless', createdAt: now + 500 }, { date, sent: '{}' });
  create({ id: 'nameless-before', createdAt: now - 60_000 }, { date, sent: '{}' });
  create({ id: 'nameless-undated' }, { date, sent: '{"name":""}' });
  const ids = ['nameless', 'nameless-before', 'nameless-undated'];
  expect(ids.map(gate.owns)).toEqual([true, false, true]);
});

test('in a new mock in this process, every stream belongs to the run', () => {
  gate = createGate({ holdsNothingElse: true });
  gate.addBase(base);
  create({ id: 'one', createdAt: 0 }, { date, sent: '{}' });
  expect(gate.owns('one')).toBe(true);
});

describe('switching recording by what is made from a stream of the run', () => {
  const playbackId = 'f00dabcdefgh1234';
  const streamKey = 'abcd-efgh-ijkl-mnop';

  beforeEach(() => create({ id: 'public', playbackId, streamKey }));

  function switchRecording(id: string): () => void {
    return () => admit(`PATCH /stream/${id}/record`);
  }

  test.each([...idEndings.map((ending) => `own${ending}`), playbackId, streamKey])(
    '%s may be tried, and nothing else may be done with it',
    (id) => {
      expect(switchRecording(id)).not.toThrow();
      expect(gate.owns(id)).toBe(false);
      expect(() => admit(`DELETE /stream/${id}`)).toThrow();
      expect(() => admit(`PATCH /stream/${id}`)).toThrow();
    },
  );

  test.each(['other', 'Named', 'of-other'])('%s with an ending is refused', (id) => {
    for (const ending of idEndings) expect(switchRecording(id + ending)).toThrow(ForeignWrite);
  });

  test.each(['0', 'a', '-recording'])('an id of the run and %s is refused', (ending) => {
    expect(switchRecording(`own${ending}`)).toThrow(ForeignWrite);
  });

  test.each([
    ['short enough to be a word', 'playback'],
    ['a number', '123456789012345'],
    ['no part of a path', 'own/../../Named/of'],
  ])('a playback id that is %s is refused', (_, alias) => {
    create({ id: 'with-alias', playbackId: alias });
    expect(switchRecording(encodeURIComponent(alias))).toThrow(Blocked);
  });

  test.each<[string, () => void]>([
    ['another creation returns it', () => create({ id: 'next', playbackId })],
    ['another stream has it', () => respond('GET', '/stream', [{ id: 'other', playbackId }])],
    ['it is the id of a stream', () => respond('GET', '/stream', [{ id: playbackId }])],
    ['it shows another stream', () => respond('GET', `/stream/${playbackId}`, { id: 'other' })],
    ['its stream leaves the run', () => create({ id: 'public' })],
  ])('a playback id is refused once %s, and that is no bug', (_, learn) => {
    learn();
    expect(switchRecording(playbackId)).toThrow(Blocked);
    expect(() => gate.throwRefused()).not.toThrow();
  });

  test('an id without its last characters may be tried, and nothing else may be done with it', () => {
    const id = crypto.randomUUID();
    create({ id });
    const ids = gate.shortenedIds(id);
    expect(ids).toEqual([id.slice(0, -1), id.slice(0, -4)]);
    for (const shorter of ids) {
      expect(switchRecording(shorter)).not.toThrow();
      expect(gate.owns(shorter)).toBe(false);
      expect(() => admit(`DELETE /stream/${shorter}`)).toThrow();
    }
  });

  const whole = 'f00dcafe-0000-4000-8000-000000001234';
  test.each<[string, () => void]>([
    ['an id is short', () => create({ id: 'own' })],
    ["the stream is not the run's", () => gate.protect(whole)],
    ['another stream has an id that begins so', () => create({ id: whole.replace(/4$/, '5') })],
    [
      'a service shows one',
      () => respond('GET', '/stream', [{ id: whole.replace('1234', '2345') }]),
    ],
  ])('there is no shorter id to try if %s', (what, learn) => {
    create({ id: whole });
    learn();
    expect(gate.shortenedIds(what === 'an id is short' ? 'also-own' : whole)).toEqual([]);
  });

  test.each<[string, () => void]>([
    ['another stream has an id that begins so', () => create({ id: whole.replace(/4$/, '5') })],
    [
      'a stream has it as its id',
      () => respond('GET', '/stream', [{ id: 'x', parentId: whole.slice(0, -1) }]),
    ],
    [
      'it shows another stream',
      () => respond('GET', `/stream/${whole.slice(0, -1)}`, { id: 'other' }),
    ],
  ])('a shorter id is refused once %s, and that is no bug', (_, learn) => {
    create({ id: whole });
    const [shorter = ''] = gate.shortenedIds(whole);
    expect(switchRecording(shorter)).not.toThrow();
    learn();
    expect(switchRecording(shorter)).toThrow(Blocked);
    expect(() => gate.throwRefused()).not.toThrow();
  });

  test('an id with an ending is refused once the service shows the stream of somebody else for it', () => {
    const [longerId] = idEndings.map((ending) => `own${ending}`);
    respond('GET', `/stream/${longerId}`, { id: 'own' });
    expect(switchRecording(`${longerId}`)).not.toThrow();
    respond('GET', `/stream/${longerId}`, { id: 'other' });
    expect(switchRecording(`${longerId}`)).toThrow(Blocked);
  });
});

test('the control API may be above the interface, or at the same address', () => {
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

  test('passes with that method and at that path', () => {
    expect(allow('POST /webhook')).toBe(true);
    expect(() => admit('POST /webhook')).not.toThrow();
    for (const line of ['DELETE /webhook', 'POST /webhook/a', 'POST /webhook?id=a']) {
      expect(() => admit(line)).toThrow(ForeignWrite);
    }
  });

  test.each([
    ...['DELETE /stream', 'POST /STREAM/other/clips', 'POST /%73tream/other'],
    ...['POST /a/..%2Fstream%2Fother', 'POST /a%3Fb', 'POST /webhook?id=a'],
    ...['DELETE /asset/Named', 'DELETE /asset//', 'POST /control/streams/other/start'],
  ])('does not pass if it names something that the run did not create: %s', (line) => {
    expect(allow(line)).toBe(false);
    expect(() => admit(line)).toThrow(ForeignWrite);
  });

  test('does not pass outside the base URL, or in a read-only run', () => {
    expect(gate.allow({ method: 'POST', url: 'http://other.test/api/webhook' })).toBe(false);
    gate.forbidWrites();
    expect(allow('POST /webhook')).toBe(false);
  });
});
