import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = {
  // Some specs judge a whole mock: on a busy machine that takes more than the usual 5 s.
  test: { include: ['*.spec.ts'], testTimeout: 60_000 },
};

// biome-ignore lint/style/noDefaultExport: vitest reads its settings from the default export
export default config;
