import { expect, test } from 'vitest';
import { run } from '../../conformance/run-suite.ts';
import type { Send } from '../../target/requests/exchange.ts';
import { stateText } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { integrations, mockOptions, type Setting } from './integrations.test-support.ts';

/** One request: the expected status, its method and path, and its other parts. */
type Step = readonly [status: number, line: string, parts?: StepParts];

interface StepParts {
  /** Default: the key; `null` for none. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Its content type is JSON, unless `headers` say otherwise. */
  readonly body?: string;
}

const noKey = { authorization: null };
const range = (value: string): StepParts => ({ ...noKey, headers: { range: value } });
const once = '{"effect":"status","status":503,"retryAfter":2,"times":1}';

/** The requests to the demo world, in order. A name in braces stands for a value from `findValues`. */
const script: readonly Step[] = [
  // The interface
  [200, 'GET /api/stream?limit=2'],
  [200, 'HEAD /api/stream'],
  [201, 'POST /api/stream', { body: `{"name":"Häfen ⚓ \\u2028"}` }],
  [200, 'GET /api/stream/{created}'],
  [204, 'PATCH /api/stream/{created}/record', { body: '{"record":true}' }],
  [204, 'DELETE /api/stream/{created}'],
  [200, 'GET /api/stream/{recorded}/sessions?record=1&limit=1'],
  [200, 'GET /api/playback/{live}'],
  // Refusals
  [400, 'POST /api/stream', { body: '{"name":' }],
  [401, 'GET /api/stream', noKey],
  [404, 'GET /api/nowhere?at=all'],
  [404, 'PUT /api/stream', { body: '{}' }],
  [404, 'HEAD /api/stream/unknown'],
  [413, 'POST /api/stream', { body: `{"name":"${'a'.repeat(110 * 1024)}"}` }],
  [415, 'POST /api/stream', { body: '{}', headers: { 'content-type': 'text/plain' } }],
  [422, 'GET /api/stream?limit=0'],
  // The control API
  [201, 'POST /_mock/streams/{recorded}/start'],
  [200, 'POST /_mock/clock', { body: '{"advance":"10s"}' }],
  [204, 'POST /_mock/reset'],
  [200, 'GET /_mock/state'],
  [204, 'PUT /_mock/state', { body: '{state}' }],
  [201, 'POST /_mock/faults', { body: once }],
  [503, 'GET /api/stream'],
  [201, 'POST /_mock/faults', { body: '{"effect":"malformed","operation":"listStreams"}' }],
  [200, 'GET /api/stream?limit=3'],
  [200, 'DELETE /_mock/faults'],
  // Media
  [200, 'GET /hls/{live}/index.m3u8', noKey],
  [200, 'GET /hls/{live}/1/{liveSession}/00000130.m4s', noKey],
  [200, 'GET /recordings/{session}/0/index.m3u8', noKey],
  [200, 'GET /recordings/{session}/0/init.mp4', noKey],
  [200, 'HEAD /recordings/{session}/source.mp4', noKey],
  [206, 'GET /recordings/{session}/source.mp4', range('bytes=0-0')],
  [206, 'GET /recordings/{session}/source.mp4', range('bytes=1000000-5999999')],
  [206, 'GET /recordings/{session}/source.mp4', range('bytes=-1000')],
  [206, 'GET /recordings/{session}/0/init.mp4', range('bytes=100-')],
  [200, 'GET /recordings/{session}/0/init.mp4', range('bytes=0-1,4-5')],
  [416, 'GET /recordings/{session}/0/init.mp4', range('bytes=1000000-')],
  [404, 'GET /recordings/{session}/0/nowhere.m4s', noKey],
  // The rest
  [200, 'GET /openapi.json', noKey],
  [204, 'OPTIONS /api/stream', noKey],
];

/** The values of the names in braces, in the world that `options` make. */
async function findValues(options: MockOptions): Promise<Record<string, string | undefined>> {
  const world = await createMock(options).world();
  const [live, recorded] = world.streams().filter(({ record, profiles }) => record && profiles[0]);
  const [session] = world.sessions(recorded?.id);
  const state = stateText(world.exportState());
  const created = await world.createStream({ name: 'the first that is created' });
  return {
    live: live?.playbackId,
    liveSession: world.sessions(live?.id)[0]?.id,
    recorded: recorded?.id,
    session: session?.id,
    state,
    created: created.id,
  };
}

/** Sends a request to the mock at `origin`, and reads the response to its end. */
async function sendStep([, line, parts = {}]: Step, origin: string, send: Send) {
  const { authorization = 'Bearer test-demo', body, headers } = parts;
  const [method = '', path = ''] = line.split(' ');
  const response = await send(
    new Request(origin + path, {
      method,
      headers: {
        ...(authorization !== null && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    }),
  );
  const base64 = Buffer.from(await response.arrayBuffer()).toString('base64');
  return { status: response.status, headers: Object.fromEntries(response.headers), base64 };
}

const still: Setting = {
  world: 'demo',
  clock: 'still',
  dialect: { dialect: 3, behaviours: { 'http.json-type': 'application/json' } },
};

test.each(Object.entries(integrations))(
  'with %s, every response is what the mock itself sends, byte by byte',
  async (_, { open, adds }) => {
    const { origin, send } = await open(still);
    const { fetch } = createMock(mockOptions(still));
    const values = await findValues(mockOptions(still));
    const fill = (text: string): string =>
      text.replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
    const added = new Set<string>();
    for (const [status, line, parts] of script) {
      const body = parts?.body === undefined ? {} : { body: fill(parts.body) };
      const step: Step = [status, fill(line), { ...parts, ...body }];
      const expected = await sendStep(step, origin, fetch);
      const received = await sendStep(step, origin, send);
      expect([line, expected.status]).toEqual([line, status]);
      for (const name of Object.keys(received.headers)) {
        if (name in expected.headers) continue;
        added.add(name);
        delete received.headers[name];
      }
      expect([line, received]).toEqual([line, expected]);
    }
    expect([...added].sort()).toEqual(Object.keys(adds).sort());
  },
);

test('the mock conforms behind `livestream-mock serve`, and so wherever the bytes are the same', async () => {
  const { origin, send } = await integrations['the command line'].open({
    world: 'empty',
    clock: 'running',
  });
  const provider = { controlUrl: `${origin}/_mock` };
  const report = await run({ apiKey: 'test-demo', baseUrl: `${origin}/api`, send, provider });
  expect(report.reasons).toEqual([]);
  expect(report.verdict).toBe('conformant');
});
