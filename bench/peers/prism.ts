import { join } from 'node:path';
import type { Contestant } from '../contestant.ts';
import { installed } from './installed.ts';

/** Prism answers by an OpenAPI document: ours. Media is not in it. */
export const prism: Contestant = {
  name: 'prism',
  args: ({ folder }, port) => [
    installed('@stoplight/prism-cli/dist/index.js'),
    'mock',
    ...['--host', '127.0.0.1', '--port', String(port), '--verboseLevel', 'error'],
    join(folder, 'openapi.json'),
  ],
  works: ({ works: { list, retrieve, record, create } }) => ({ list, retrieve, record, create }),
};
