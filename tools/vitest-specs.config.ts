import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = {
  // Some specs judge a whole mock, which takes more than the default 5 s on a busy machine.
  test: { include: ['*.spec.ts'], testTimeout: 60_000 },
};

// biome-ignore lint/style/noDefaultExport: vitest reads its settings from the default export
export default config;
