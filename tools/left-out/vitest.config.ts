import { resolve } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = {
  test: {
    root: resolve(import.meta.dirname, '../..'),
    include: ['tools/left-out/*.spec.ts'],
    globalSetup: 'tools/left-out/bare-machine.ts',
    reporters: 'verbose',
  },
};

// biome-ignore lint/style/noDefaultExport: vitest reads its settings from the default export
export default config;
