import { fileURLToPath } from 'node:url';
import type { Contestant } from '../contestant.ts';

/** MSW handlers behind Express, which answer the same bytes. */
export const httpMiddleware: Contestant = {
  name: '@mswjs/http-middleware',
  args: ({ folder }, port) => [
    fileURLToPath(new URL('http-middleware.mjs', import.meta.url)),
    folder,
    String(port),
  ],
  works: ({ works }) => works,
};
