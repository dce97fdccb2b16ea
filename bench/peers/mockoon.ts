import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contestant } from '../contestant.ts';
import type { CannedAnswer, Sample } from '../sample.ts';
import { installed } from './installed.ts';

/** Mockoon answers the same bytes: JSON out of its data file, media from files. */
export const mockoon: Contestant = {
  name: '@mockoon/cli',
  args: (sample, port) => [
    installed('@mockoon/cli/bin/run.js'),
    'start',
    ...['--data', writeEnvironment(sample), '--port', String(port), '--hostname', '127.0.0.1'],
    ...['--disable-log-to-file', '--disable-admin-api'],
  ],
  works: ({ works }) => works,
};

function writeEnvironment({ folder }: Sample): string {
  const answers: CannedAnswer[] = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'));
  const routes = answers.map((answer) => route(answer, folder));
  const file = join(folder, 'mockoon.json');
  writeFileSync(
    file,
    JSON.stringify({
      uuid: randomUUID(),
      lastMigration: 33,
      name: 'bench',
      endpointPrefix: '',
      port: 3000,
      routes,
      rootChildren: routes.map(({ uuid }) => ({ type: 'route', uuid })),
    }),
  );
  return file;
}

const mediaFiles: Partial<Record<CannedAnswer['operation'], string>> = {
  segment: 'segment.m4s',
  range: 'movie.mp4',
};

function route(answer: CannedAnswer, folder: string) {
  const { method, path, status, operation, headers, file } = answer;
  const media = mediaFiles[operation];
  const type = { key: 'content-type', value: headers['content-type'] ?? 'application/json' };
  const content =
    media === undefined
      ? { bodyType: 'INLINE', body: readFileSync(file, 'utf8') }
      : { bodyType: 'FILE', filePath: join(folder, 'media', media), body: '' };
  return {
    uuid: randomUUID(),
    type: 'http',
    method: method.toLowerCase(),
    endpoint: (path.split('?')[0] ?? path).slice(1),
    responses: [
      {
        uuid: randomUUID(),
        ...content,
        statusCode: media === undefined ? status : 200,
        headers: [type],
        sendFileAsBody: true,
        disableTemplating: true,
        default: true,
      },
    ],
  };
}
