import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';

/** The app, built and served. */
export type Site = Awaited<ReturnType<typeof startSite>>;

const root = import.meta.dirname;

/**
 * Builds the app for a mock at `origin`, and serves it on a free port. The mode is that of
 * `.env.worker` or `.env.serve`.
 */
export async function startSite(mode: 'worker' | 'serve', origin: string) {
  const folder = await mkdtemp(join(tmpdir(), 'livestream-mock-example-'));
  await build({
    root,
    mode,
    logLevel: 'silent',
    define: {
      'import.meta.env.VITE_LIVESTREAM_URL': JSON.stringify(`${origin}/api`),
      'import.meta.env.VITE_LIVESTREAM_CONTROL_URL': JSON.stringify(`${origin}/_mock`),
    },
    build: { outDir: folder, emptyOutDir: true },
  });
  const server = await preview({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { outDir: folder },
    preview: { port: 0, host: '127.0.0.1' },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('preview: no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    /** Where the built files are. */
    folder,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
