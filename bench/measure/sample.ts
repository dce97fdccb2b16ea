import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveMock } from './processes.ts';
import { fetchJson, fetchWork, get, getRange, send, type Work } from './requests.ts';

/** What servers are loaded with; what changes a server comes after what reads it. */
export type OperationName = 'list' | 'retrieve' | 'record' | 'create' | 'segment' | 'range';

/** Responses of this project, for the other servers to send as well. */
export interface Sample {
  /** A stream with three recorded sessions. */
  readonly streamId: string;
  readonly works: Readonly<Record<OperationName, Work>>;
  readonly canned: readonly CannedResponse[];
  /**
   * Holds `canned.json` and the bodies it names, and what the peers read: `openapi.json`,
   * `streams.json`, `sessions.json`, `media/segment.m4s` and `media/movie.mp4`.
   */
  readonly folder: string;
}

/** A response, as it is written to `canned.json`; its body lies in `file`. */
export interface CannedResponse {
  readonly operation: OperationName;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: string;
  readonly bytes: number;
}

/** Sends every request once to this project, and writes the responses to `folder`. */
export async function takeSample(folder: string): Promise<Sample> {
  const { origin, stop } = await serveMock();
  try {
    const streams: { id: string }[] = await fetchJson(origin, get('/api/stream'));
    const sessions: Session[] = await fetchJson(origin, get('/api/session'));
    const { streamId, works } = await findWorks(origin, sessions);
    const canned: CannedResponse[] = [];
    for (const operation of Object.keys(works) as OperationName[]) {
      canned.push(await keepResponse(origin, operation, works[operation], join(folder, operation)));
    }
    const keep = (name: string, content: string | Buffer) =>
      writeFileSync(join(folder, name), content);
    keep('canned.json', JSON.stringify(canned));
    keep('streams.json', JSON.stringify(streams));
    keep('sessions.json', JSON.stringify(sessions));
    keep('openapi.json', (await fetchWork(origin, get('/openapi.json'))).body);
    mkdirSync(join(folder, 'media'));
    keep('media/segment.m4s', (await fetchWork(origin, works.segment)).body);
    const start = getRange(works.range.path, 0, 2_999_999);
    keep('media/movie.mp4', (await fetchWork(origin, start)).body);
    return { streamId, works, canned, folder };
  } finally {
    await stop();
  }
}

interface Session {
  readonly id: string;
  readonly parentId: string;
  readonly recordingStatus?: string;
  readonly sourceSegmentsDuration: number;
}

async function findWorks(
  origin: string,
  sessions: readonly Session[],
): Promise<Pick<Sample, 'streamId' | 'works'>> {
  const ready = sessions.filter(({ recordingStatus }) => recordingStatus === 'ready');
  const parents = ready.map(({ parentId }) => parentId);
  const id = parents.find((parent) => parents.filter((other) => other === parent).length === 3);
  const longest = ready.find(({ sourceSegmentsDuration }) => sourceSegmentsDuration === 36_000);
  if (id === undefined || longest === undefined) {
    throw new Error('demo world: expected a stream with 3 recorded sessions, and one of 10 hours');
  }
  const profiles = [{ name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 }];
  const works = {
    list: get(`/api/stream/${id}/sessions?record=1`),
    retrieve: get(`/api/stream/${id}`),
    record: send('PATCH', `/api/stream/${id}/record`, { record: true }, 204),
    create: send('POST', '/api/stream', { name: 'Harbour camera', profiles }, 201),
    segment: get(await firstSegment(origin, `/recordings/${longest.id}/index.m3u8`), {}),
    range: getRange(`/recordings/${longest.id}/source.mp4`, 1_000_000, 1_999_999),
  };
  return { streamId: id, works };
}

/** Follows a playlist to its first media playlist, and that to its first segment. */
async function firstSegment(origin: string, path: string): Promise<string> {
  const { body } = await fetchWork(origin, get(path, {}));
  const uri = /^[^#\s].*$/m.exec(body.toString())?.[0];
  if (uri === undefined) throw new Error(`${path}: expected a playlist with an address in it`);
  const { pathname } = new URL(uri, origin + path);
  return pathname.endsWith('.m3u8') ? firstSegment(origin, pathname) : pathname;
}

async function keepResponse(
  origin: string,
  operation: OperationName,
  work: Work,
  file: string,
): Promise<CannedResponse> {
  const { status, headers, body } = await fetchWork(origin, work);
  writeFileSync(file, body);
  const kept = ['content-type', 'content-range', 'accept-ranges'].flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]]] : [],
  );
  const { method, path } = work;
  const bytes = body.length;
  return { operation, method, path, status, headers: Object.fromEntries(kept), file, bytes };
}
