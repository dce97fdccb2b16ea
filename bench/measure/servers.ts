import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Server, serveArgs, startServer } from './processes.ts';
import { get, getRange, send, type Work } from './requests.ts';
import type { CannedResponse, OperationName, Sample } from './sample.ts';

/** A server that the bench measures. */
export interface MeasuredServer {
  readonly name: string;
  /** Arguments of Node that start it afresh. */
  readonly args: (sample: Sample, port: number) => readonly string[];
  /** What it can do, in its own paths. */
  readonly works: (
    sample: Sample,
  ) => Partial<Record<OperationName, Work>> & { readonly list: Work };
}

/** Starts a server until it has listed the sessions of a stream. */
export function startMeasured({ args, works }: MeasuredServer, sample: Sample): Promise<Server> {
  return startServer((port) => args(sample, port), works(sample).list);
}

const all = ({ works }: Sample) => works;
const local = ['--host', '127.0.0.1', '--port'];
const script = (name: string) => join(import.meta.dirname, '../servers', name);
const installed = (path: string) => join(import.meta.dirname, '../node_modules', path);

/** This project. */
export const ours: MeasuredServer = {
  name: 'livestream-mock',
  args: (_, port) => serveArgs(port),
  works: all,
};

/** The upper bound: Node's own server, sending the same bytes from memory. */
export const bare: MeasuredServer = {
  name: 'node:http',
  args: ({ folder }, port) => [script('node-http.mjs'), folder, String(port)],
  works: all,
};

/** Other mock servers, each an installed package. */
export const peers: readonly MeasuredServer[] = [
  {
    // Keeps records of any kind under paths of its own, and serves files.
    name: 'json-server',
    args(sample, port) {
      // json-server resolves this path against the current folder, even an absolute one.
      const media = relative(process.cwd(), join(sample.folder, 'media'));
      const options = ['--quiet', ...local, String(port), '--static', media];
      return [installed('json-server/lib/cli/bin.js'), writeRecords(sample), ...options];
    },
    works: ({ streamId, works }) => ({
      list: get(`/sessions?parentId=${streamId}&record=true`),
      retrieve: get(`/streams/${streamId}`),
      record: send('PATCH', `/streams/${streamId}`, { record: true }, 200),
      create: { ...works.create, path: '/streams' },
      segment: get('/segment.m4s', {}),
      range: getRange('/movie.mp4', 1_000_000, 1_999_999),
    }),
  },
  {
    // Sends the same bytes: JSON out of its data file, media from files.
    name: '@mockoon/cli',
    args: (sample, port) => [
      installed('@mockoon/cli/bin/run.js'),
      'start',
      ...['--data', writeRoutes(sample), '--port', String(port), '--hostname', '127.0.0.1'],
      ...['--disable-log-to-file', '--disable-admin-api'],
    ],
    works: all,
  },
  {
    // Answers by our OpenAPI document, which has no media in it.
    name: 'prism',
    args: ({ folder }, port) => [
      installed('@stoplight/prism-cli/dist/index.js'),
      ...['mock', ...local, String(port), '--verboseLevel', 'error', join(folder, 'openapi.json')],
    ],
    works: ({ works: { list, retrieve, record, create } }) => ({ list, retrieve, record, create }),
  },
  {
    // Handlers of MSW behind Express, which send the same bytes.
    name: '@mswjs/http-middleware',
    args: ({ folder }, port) => [script('http-middleware.mjs'), folder, String(port)],
    works: all,
  },
];

/** json-server writes into its file, so every start gets a new one. */
function writeRecords({ folder }: Sample): string {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const file = join(folder, 'json-server.json');
  const records = { streams: read('streams.json'), sessions: read('sessions.json') };
  writeFileSync(file, JSON.stringify(records));
  return file;
}

function writeRoutes({ canned, folder }: Sample): string {
  const routes = canned.map((response) => mockoonRoute(response, folder));
  const file = join(folder, 'mockoon.json');
  const environment = {
    uuid: randomUUID(),
    lastMigration: 33,
    name: 'bench',
    endpointPrefix: '',
    port: 3000,
    routes,
    rootChildren: routes.map(({ uuid }) => ({ type: 'route', uuid })),
  };
  writeFileSync(file, JSON.stringify(environment));
  return file;
}

function mockoonRoute(
  { operation, method, path, status, headers, file }: CannedResponse,
  folder: string,
) {
  const media = { segment: 'segment.m4s', range: 'movie.mp4' }[operation as string];
  const body =
    media === undefined
      ? { bodyType: 'INLINE', body: readFileSync(file, 'utf8'), statusCode: status }
      : { bodyType: 'FILE', filePath: join(folder, 'media', media), body: '', statusCode: 200 };
  const type = { key: 'content-type', value: headers['content-type'] ?? 'application/json' };
  const options = { sendFileAsBody: true, disableTemplating: true, default: true };
  return {
    uuid: randomUUID(),
    type: 'http',
    method: method.toLowerCase(),
    endpoint: path.slice(1).split('?')[0],
    responses: [{ uuid: randomUUID(), headers: [type], ...body, ...options }],
  };
}
