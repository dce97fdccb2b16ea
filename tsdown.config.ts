import { defineConfig, type UserConfig } from 'tsdown';
import { thirdPartyNotices } from './tools/notices.ts';

const config: UserConfig = defineConfig({
  entry: { index: 'mocks/index.ts', node: 'mocks/doors/node.ts', cli: 'cli.ts' },
  outDir: 'dist',
  format: 'esm',
  // The root entry runs in browsers too, so no helper of Node's may slip in.
  platform: 'neutral',
  outputOptions: { comments: { jsdoc: false } },
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  target: 'es2023',
  dts: { oxc: true },
  // Bundled, the server is up in a fraction of the time, and users install nothing beside it.
  deps: { alwaysBundle: [/./], onlyBundle: false },
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  plugins: [thirdPartyNotices()],
});

// biome-ignore lint/style/noDefaultExport: tsdown reads its settings from the default export
export default config;
