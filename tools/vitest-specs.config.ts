import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = { test: { include: ['*.spec.ts'] } };

// biome-ignore lint/style/noDefaultExport: vitest reads its settings from the default export
export default config;
