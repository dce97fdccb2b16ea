import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Contestant } from '../contestant.ts';
import type { Sample } from '../sample.ts';
import { get, megabyte, send } from '../work.ts';
import { installed } from './installed.ts';

/** json-server keeps records of any kind under paths of its own, and serves files. */
export const jsonServer: Contestant = {
  name: 'json-server',
  args(sample, port) {
    // It takes the folder for one below the current folder, even where the path is absolute.
    const folder = relative(process.cwd(), join(sample.folder, 'media'));
    const options = ['--quiet', '--host', '127.0.0.1', '--port', String(port), '--static', folder];
    return [installed('json-server/lib/cli/bin.js'), writeRecords(sample), ...options];
  },
  works: ({ streamId, works }) => ({
    list: get(`/sessions?parentId=${streamId}&record=true`),
    retrieve: get(`/streams/${streamId}`),
    record: send('PATCH', `/streams/${streamId}`, { record: true }, 200),
    create: { ...works.create, path: '/streams' },
    segment: get('/segment.m4s', {}),
    range: megabyte('/movie.mp4'),
  }),
};

/** It writes into its file, so every start gets a new one. */
function writeRecords({ folder }: Sample): string {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const file = join(folder, 'json-server.json');
  writeFileSync(
    file,
    JSON.stringify({ streams: read('streams.json'), sessions: read('sessions.json') }),
  );
  return file;
}
