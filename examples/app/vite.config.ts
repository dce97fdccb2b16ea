import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, loadEnv, type Plugin, type UserConfigFnObject } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const workerName = 'mockServiceWorker.js';

/** Serves the installed version of MSW's worker script, so no copy can get out of date. */
function mswWorkerScript(): Plugin {
  const source = readFileSync(new URL(import.meta.resolve(`msw/${workerName}`)), 'utf8');
  return {
    name: 'msw-worker-script',
    configureServer({ middlewares }) {
      middlewares.use(`/${workerName}`, (_, response) => {
        response.setHeader('content-type', 'text/javascript').end(source);
      });
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: workerName, source });
    },
  };
}

const config: UserConfigFnObject = defineConfig(({ mode }) => ({
  root: here,
  // A fixed port, so that `serve --control-origin` can name the app's origin.
  server: { port: 5173, strictPort: true },
  build: { target: 'es2023', chunkSizeWarningLimit: 1000 },
  plugins: loadEnv(mode, here)['VITE_MOCK'] === 'worker' ? [mswWorkerScript()] : [],
}));

// biome-ignore lint/style/noDefaultExport: Vite reads its settings from the default export
export default config;
