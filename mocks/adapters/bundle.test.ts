import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openBrowser } from '../../tools/browser.test-support.ts';
import { buildApp, serveApp } from '../../tools/web-app.test-support.ts';

/** Entries of the package that run in browsers, each with an app that uses it. */
const apps: readonly (readonly [string, string])[] = [
  [
    'livestream-mock',
    `import { browserStore, createMock } from 'livestream-mock';
     createMock({ store: browserStore() }).fetch(new Request(location.href)).then(console.log);`,
  ],
  [
    'livestream-mock/msw',
    `import { createMock } from 'livestream-mock';
     import { handlers } from 'livestream-mock/msw';
     import { setupWorker } from 'msw/browser';
     setupWorker(...handlers(createMock())).start();`,
  ],
];

/** Uses of names that only Node has. */
const nodeNames = /(?<![.\w$])(Buffer|process|__dirname|__filename|require)\s*[.([]/g;

/** The names of Node that code uses without checking by `typeof` that they exist. */
function namesIn(code: string): string[] {
  const names = [...code.matchAll(nodeNames)].map(([, name = '']) => name);
  return names.filter((name) => !code.includes(`typeof ${name}`));
}

/** Modules and names in a bundle that browsers lack. */
async function nodeIn(source: string): Promise<string[]> {
  const chunks = (await buildApp(source)).filter((file) => file.type === 'chunk');
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
  // Where a module of Node is imported, Vite inserts a stand-in or keeps the import.
  const imported = [...modules.map(([id]) => id), ...chunks.flatMap(({ imports }) => imports)];
  const used = modules
    .filter(([id]) => id.includes('/dist/'))
    .flatMap(([id, { code }]) => namesIn(code ?? '').map((name) => `${id}: ${name}`));
  return [...imported.filter((id) => /^node:|__vite-browser-external/.test(id)), ...used];
}

test.each(apps)('a bundle with %s holds nothing of Node', async (_, source) => {
  expect(await nodeIn(source)).toEqual([]);
});

test.each([
  ...apps.map(([entry, source]) => [entry, source, false] as const),
  [
    'livestream-mock/data',
    `import { collections } from 'livestream-mock/data'; collections();`,
    true,
  ],
] as const)('whether @msw/data is in a bundle with %s', async (_, source, expected) => {
  const chunks = (await buildApp(source)).filter((file) => file.type === 'chunk');
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules));
  expect(modules.some((id) => id.includes('/@msw/data/'))).toBe(expected);
});

test('the check finds the entry that is for Node only', async () => {
  const found = await nodeIn(`import { serve } from 'livestream-mock/node'; serve();`);
  expect(found).toContainEqual(expect.stringMatching(/^__vite-browser-external|^node:/));
  expect(found).toContainEqual(expect.stringMatching(/\/dist\/.*: (Buffer|process)/));
});

test('an app with the demo world loads less than 150 kB, compressed, before the first playback', async () => {
  const app = await serveApp(`
    import { createMock } from 'livestream-mock';
    const mock = createMock({ world: 'demo' });
    const headers = { authorization: 'Bearer ' + mock.apiKey };
    const response = await mock.fetch(new Request('http://app.test/api/stream', { headers }));
    console.assert((await response.json()).length === 6);
  `);
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const scripts: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.body());
    });
    await page.goto(app.origin);
    await page.locator('body[data-ready]').waitFor();
    const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script).length);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
  } finally {
    await app.close();
  }
});
