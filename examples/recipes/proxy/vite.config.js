import { defineConfig } from 'vite';

const mock = process.env.LIVESTREAM_ORIGIN ?? 'http://127.0.0.1:4100';

/** The interface is at the app's own origin. Media needs no proxy: it has the mock's address. */
export default defineConfig({ server: { proxy: { '/api': mock } } });
