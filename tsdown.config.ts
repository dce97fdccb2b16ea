import { readFileSync } from 'node:fs';
import license from 'rollup-plugin-license';
import { defineConfig, type Rolldown, type UserConfig } from 'tsdown';
import { clientReportJsonSchema } from './conformance/clients/report/client-json.ts';
import { reportJsonSchema } from './conformance/report/json.ts';
import { dialectJsonSchema } from './interface/dialect/json-schema.ts';

/** Publishes the JSON Schemas of reports on services and on apps, and of dialects. */
const jsonSchemas: Rolldown.Plugin = {
  name: 'json-schemas',
  generateBundle() {
    const emit = (fileName: string, schema: object) =>
      this.emitFile({
        type: 'asset',
        fileName,
        source: `${JSON.stringify(schema, null, 2)}\n`,
      });
    emit('conformance-report.schema.json', reportJsonSchema());
    emit('client-report.schema.json', clientReportJsonSchema());
    emit('dialect.schema.json', dialectJsonSchema());
  },
};

/** Publishes the dashboard's page, icon and styles. */
const dashboardPage: Rolldown.Plugin = {
  name: 'dashboard-page',
  generateBundle() {
    const read = (path: string) => readFileSync(`mocks/dashboard/${path}`, 'utf8');
    const sheets = ['theme', 'controls', 'content', 'layout'];
    const emit = (fileName: string, source: string) =>
      this.emitFile({ type: 'asset', fileName, source });
    emit('index.html', read('index.html'));
    emit('icon.svg', read('icon.svg'));
    emit('dashboard.css', sheets.map((name) => read(`style/${name}.css`)).join(''));
  },
};

/** Lists the packages in all bundles, with their licenses. */
const notices = license({
  thirdParty: {
    output: {
      file: 'dist/THIRD-PARTY-NOTICES.txt',
      // Bundles are made at the same time, so the order of their packages varies.
      template: (packages) =>
        packages
          .map((one) => one.text())
          .toSorted()
          .join('\n\n---\n\n'),
    },
  },
}) as unknown as Rolldown.Plugin;

const library: UserConfig = {
  entry: {
    index: 'mocks/index.ts',
    node: 'mocks/adapters/node/node.ts',
    conformance: 'conformance/index.ts',
    msw: 'mocks/adapters/msw.ts',
    playwright: 'mocks/adapters/playwright.ts',
    vitest: 'mocks/adapters/vitest.ts',
    data: 'mocks/adapters/data/data.ts',
    'store-contract': 'mocks/stores/contract.ts',
    'conformance-vitest': 'conformance/vitest.ts',
    cli: 'commands/cli.ts',
  },
  outDir: 'dist',
  format: 'esm',
  // The root entry also runs in browsers, so it must not contain helpers for Node.
  platform: 'neutral',
  outputOptions: { comments: { jsdoc: false } },
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  target: 'es2023',
  // The compiler writes the declarations, so exports do not need explicit types.
  dts: { tsgo: { path: 'node_modules/.bin/tsc' } },
  // The bundled server starts in a fraction of the time, and users install nothing else.
  deps: {
    alwaysBundle: [/./],
    neverBundle: [
      '@msw/data',
      '@playwright/test',
      /^msw(\/|$)/,
      /^node-media-server\//,
      'redis',
      'vitest',
      'werift',
    ],
    onlyBundle: false,
  },
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  plugins: [notices, jsonSchemas],
};

/** The page of the dashboard, for browsers. */
const dashboard: UserConfig = {
  entry: { dashboard: 'mocks/dashboard/main.tsx' },
  outDir: 'dist/dashboard',
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  minify: true,
  dts: false,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  // The light build of hls.js, without subtitles, alternative audio and encryption, is enough.
  inputOptions: { resolve: { alias: { 'hls.js': 'hls.js/dist/hls.light.mjs' } } },
  outputOptions: { chunkFileNames: 'hls.js' },
  outExtensions: () => ({ js: '.js' }),
  plugins: [notices, dashboardPage],
};

const config: UserConfig[] = defineConfig([library, dashboard]);

// biome-ignore lint/style/noDefaultExport: tsdown reads its settings from the default export
export default config;
