import { createMock, type MockOptions } from 'livestream-mock';
import { stateText } from '../http/request.test-support.ts';

/** One request: the status of its response, its method and path, and its other parts. */
export type Step = readonly [status: number, line: string, parts?: StepParts];

interface StepParts {
  /** That of the key unless given; `null` for none. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, by its content type, unless `headers` say otherwise. */
  readonly body?: string;
}

const profile = '{"name":"720p","bitrate":2000000,"fps":30,"width":1280,"height":720}';
const noKey = { authorization: null };
const range = (value: string): StepParts => ({ ...noKey, headers: { range: value } });

/**
 * Requests that are sent to the demo world in this order by every integration. A name in braces stands
 * for a value that {@link findValues} finds.
 */
export const script: readonly Step[] = [
  // Streams
  [200, 'GET /api/stream'],
  [200, 'HEAD /api/stream'],
  [200, 'GET /api/stream?limit=2'],
  [200, 'GET /api/stream/'],
  [201, 'POST /api/stream', { body: `{"name":"Häfen ⚓ \\u2028","profiles":[${profile}]}` }],
  [200, 'GET /api/stream/{created}'],
  [204, 'PATCH /api/stream/{created}', { body: '{"name":"Quay"}' }],
  [204, 'PATCH /api/stream/{created}/record', { body: '{"record":true}' }],
  [204, 'PATCH /api/stream/{created}/record', { body: '{"record":false}' }],
  [204, 'DELETE /api/stream/{created}'],
  [404, 'GET /api/stream/{created}'],
  [200, 'GET /api/stream/{session}'],
  // Sessions
  [200, 'GET /api/session?limit=3'],
  [200, 'GET /api/session?parentId={recorded}'],
  [200, 'GET /api/session/{session}'],
  [200, 'GET /api/stream/{recorded}/sessions?record=1'],
  [200, 'GET /api/stream/{recorded}/sessions?record=1&limit=1'],
  [200, 'GET /api/stream/{recorded}/sessions?record=0'],
  // Beyond the interface
  [200, 'GET /api/playback/{live}'],
  [200, 'GET /api/playback/{session}'],
  [204, 'DELETE /api/stream/{recorded}/terminate'],
  [501, 'GET /api/asset'],
  // Refusals
  [400, 'POST /api/stream', { body: '{"name":' }],
  [
    400,
    'POST /api/stream',
    { body: `{"name":"one name twice","profiles":[${profile},${profile}]}` },
  ],
  [400, 'PATCH /api/stream/{session}/record', { body: '{"record":true}' }],
  [401, 'GET /api/stream', noKey],
  [401, 'GET /api/stream', { authorization: 'Bearer unknown' }],
  [404, 'GET /api/nowhere?at=all'],
  [404, 'PUT /api/stream', { body: '{}' }],
  [404, 'HEAD /api/stream/unknown'],
  [413, 'POST /api/stream', { body: `{"name":"${'a'.repeat(110 * 1024)}"}` }],
  [415, 'POST /api/stream', { body: '{}', headers: { 'content-type': 'text/plain' } }],
  [422, 'POST /api/stream', { body: '{"name":1,"profiles":"none"}' }],
  [422, 'GET /api/stream?limit=0'],
  // The control API
  [200, 'GET /_mock/clock'],
  [201, 'POST /_mock/streams/{recorded}/start'],
  [200, 'POST /_mock/clock', { body: '{"advance":"10s"}' }],
  [200, 'POST /_mock/streams/{recorded}/stop'],
  [200, 'GET /_mock/moments'],
  [200, 'GET /_mock/ingest'],
  [201, 'POST /_mock/streams/{recorded}/start', { body: '{"duration":4.2}' }],
  [204, 'POST /_mock/reset'],
  [200, 'GET /_mock/state'],
  [204, 'PUT /_mock/state', { body: '{state}' }],
  [204, 'PUT /_mock/snapshots/before'],
  [200, 'GET /_mock/snapshots'],
  [204, 'POST /_mock/snapshots/before/restore'],
  [204, 'DELETE /_mock/snapshots/before'],
  [
    201,
    'POST /_mock/faults',
    { body: '{"effect":"status","status":503,"retryAfter":2,"times":1}' },
  ],
  [503, 'GET /api/stream'],
  [201, 'POST /_mock/faults', { body: '{"effect":"malformed","operation":"listStreams"}' }],
  [200, 'GET /api/stream?limit=3'],
  [200, 'GET /_mock/faults'],
  [200, 'DELETE /_mock/faults/1'],
  [200, 'DELETE /_mock/faults'],
  // Media
  [200, 'GET /hls/{live}/index.m3u8', noKey],
  [200, 'GET /hls/{live}/source/index.m3u8', noKey],
  [200, 'GET /hls/{live}/1/{liveSession}/00000130.m4s', noKey],
  [200, 'GET /recordings/{session}/index.m3u8', noKey],
  [200, 'GET /recordings/{session}/0/index.m3u8', noKey],
  [200, 'GET /recordings/{session}/0/init.mp4', noKey],
  [200, 'GET /recordings/{session}/0/00000000.m4s', noKey],
  [200, 'HEAD /recordings/{session}/source.mp4', noKey],
  [206, 'GET /recordings/{session}/source.mp4', range('bytes=0-0')],
  [206, 'GET /recordings/{session}/source.mp4', range('bytes=1000000-5999999')],
  [206, 'GET /recordings/{session}/source.mp4', range('bytes=-1000')],
  [206, 'GET /recordings/{session}/0/init.mp4', range('bytes=100-')],
  [200, 'GET /recordings/{session}/0/init.mp4', range('bytes=0-1,4-5')],
  [416, 'GET /recordings/{session}/0/init.mp4', range('bytes=1000000-')],
  [304, 'GET /recordings/{session}/source.mp4', { ...noKey, headers: { 'if-none-match': '*' } }],
  [404, 'GET /recordings/{session}/0/nowhere.m4s', noKey],
  // The rest
  [200, 'GET /openapi.json', noKey],
  [204, 'OPTIONS /api/stream', noKey],
];

/** Operations that cannot be compared: journals show the headers of each client, and events never end. */
export const unscripted: readonly string[] = ['listRequests', 'exportHar', 'watchWorld'];

/** The values of the names in braces in {@link script}, in the world that `options` make. */
export async function findValues(options: MockOptions): Promise<ReadonlyMap<string, string>> {
  const world = await createMock(options).world();
  const [latest, recorded] = world
    .streams()
    .filter(({ record, profiles }) => record && profiles[0]);
  const [session] = world.sessions(recorded?.id);
  const state = stateText(world.exportState());
  const created = await world.createStream({ name: 'the first that is created' });
  const values = {
    live: latest?.playbackId,
    liveSession: world.sessions(latest?.id)[0]?.id,
    recorded: recorded?.id,
    session: session?.id,
    state,
    created: created.id,
  };
  return new Map(Object.entries(values).map(([name, text]) => [name, text ?? '']));
}
