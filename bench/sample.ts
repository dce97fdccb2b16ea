import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectAnswer } from './client.ts';
import { serveArgs } from './ours.ts';
import { startServer } from './servers.ts';
import {
  get,
  keyHeaders,
  megabyte,
  type OperationName,
  operationNames,
  send,
  type Work,
} from './work.ts';

/** What this project answers, for the others to answer likewise. */
export interface Sample {
  /** A stream with three recorded sessions. */
  readonly streamId: string;
  readonly works: Readonly<Record<OperationName, Work>>;
  /** Holds the files below. */
  readonly folder: string;
  readonly bytes: Readonly<Record<OperationName, number>>;
}

/** One canned answer, in `answers.json`; its body lies in `file`. */
export interface CannedAnswer {
  readonly operation: OperationName;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: string;
}

/** Asks a server of this project for everything once, and keeps the answers in `folder`. */
export async function takeSample(folder: string): Promise<Sample> {
  const server = await startServer(serveArgs(), get('/api/stream'));
  try {
    const works = await findWorks(server.origin);
    const answers = [];
    for (const operation of operationNames) {
      answers.push(await keepAnswer(server.origin, operation, works[operation], folder));
    }
    writeFileSync(
      join(folder, 'answers.json'),
      JSON.stringify(answers.map(({ canned }) => canned)),
    );
    await keepFiles(server.origin, works, folder);
    const bytes = Object.fromEntries(answers.map(({ canned, bytes }) => [canned.operation, bytes]));
    const streamId = works.retrieve.path.slice(works.retrieve.path.lastIndexOf('/') + 1);
    return { streamId, works, folder, bytes: bytes as Sample['bytes'] };
  } finally {
    await server.stop();
  }
}

interface Listed {
  readonly id: string;
  readonly parentId: string;
  readonly recordingStatus?: string;
  readonly sourceSegmentsDuration: number;
}

async function findWorks(origin: string): Promise<Sample['works']> {
  const list = await expectAnswer(origin, get('/api/session'));
  const sessions: Listed[] = JSON.parse(list.body.toString());
  const ready = sessions.filter(({ recordingStatus }) => recordingStatus === 'ready');
  const parents = ready.map(({ parentId }) => parentId);
  const id = parents.find((parent) => parents.filter((other) => other === parent).length === 3);
  const longest = ready.find(({ sourceSegmentsDuration }) => sourceSegmentsDuration === 36_000);
  if (id === undefined || longest === undefined) {
    throw new Error('demo world: expected a stream with 3 recorded sessions, and one of 10 hours');
  }
  const profiles = [{ name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 }];
  return {
    list: get(`/api/stream/${id}/sessions?record=1`),
    retrieve: get(`/api/stream/${id}`),
    record: send('PATCH', `/api/stream/${id}/record`, { record: true }, 204),
    create: send('POST', '/api/stream', { name: 'Harbour camera', profiles }, 201),
    segment: get(await firstSegment(origin, `/recordings/${longest.id}/index.m3u8`), {}),
    range: megabyte(`/recordings/${longest.id}/source.mp4`),
  };
}

/** Follows a playlist to its first media playlist, and that to its first segment. */
async function firstSegment(origin: string, path: string): Promise<string> {
  const { body } = await expectAnswer(origin, get(path, {}));
  const uri = /^[^#\s].*$/m.exec(body.toString())?.[0];
  if (uri === undefined) throw new Error(`${path}: expected a playlist with an address in it`);
  const { pathname } = new URL(uri, origin + path);
  return pathname.endsWith('.m3u8') ? firstSegment(origin, pathname) : pathname;
}

async function keepAnswer(
  origin: string,
  operation: OperationName,
  work: Work,
  folder: string,
): Promise<{ canned: CannedAnswer; bytes: number }> {
  const { status, headers, body } = await expectAnswer(origin, work);
  const file = join(folder, operation);
  writeFileSync(file, body);
  const kept = ['content-type', 'content-range', 'accept-ranges'].flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]]] : [],
  );
  const { method, path } = work;
  const canned = { operation, method, path, status, headers: Object.fromEntries(kept), file };
  return { canned, bytes: body.length };
}

/** What peers read that take files: our OpenAPI document, all records, and media. */
async function keepFiles(origin: string, works: Sample['works'], folder: string): Promise<void> {
  const read = async (work: Work): Promise<Buffer> => (await expectAnswer(origin, work)).body;
  writeFileSync(join(folder, 'openapi.json'), await read(get('/openapi.json')));
  writeFileSync(join(folder, 'streams.json'), await read(get('/api/stream')));
  writeFileSync(join(folder, 'sessions.json'), await read(get('/api/session')));
  const media = join(folder, 'media');
  mkdirSync(media);
  writeFileSync(join(media, 'segment.m4s'), await read(works.segment));
  const start = { ...works.range, headers: { ...keyHeaders, range: 'bytes=0-2999999' } };
  writeFileSync(join(media, 'movie.mp4'), await read(start));
}
