import { defineConfig } from 'vite';

const mock = process.env.LIVESTREAM_ORIGIN ?? 'http://127.0.0.1:4100';

/** The app reaches the interface at its own origin. Media needs no proxy: its URLs point to the mock. */
export default defineConfig({ server: { proxy: { '/api': mock } } });
