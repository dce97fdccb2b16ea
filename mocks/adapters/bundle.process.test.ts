import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildApp } from '../../tools/web-app.test-support.ts';

/** The entries of the package that run in browsers, each with an app that uses it. */
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

/** Matches the use of a name that only Node has. */
const nodeNames = /(?<![.\w$])(Buffer|process|__dirname|__filename|require)\s*[.([]/g;

/** The names of Node that code uses without first checking with `typeof` that they exist. */
function namesIn(code: string): string[] {
  const names = [...code.matchAll(nodeNames)].map(([, name = '']) => name);
  return names.filter((name) => !code.includes(`typeof ${name}`));
}

async function chunksOf(source: string) {
  return (await buildApp(source)).filter((file) => file.type === 'chunk');
}

/** The modules and names in a bundle that browsers lack. */
async function nodeIn(source: string): Promise<string[]> {
  const chunks = await chunksOf(source);
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
  // If a module of Node is imported, Vite inserts a stand-in or keeps the import.
  const imported = [...modules.map(([id]) => id), ...chunks.flatMap(({ imports }) => imports)];
  const used = modules
    .filter(([id]) => id.includes('/dist/'))
    .flatMap(([id, { code }]) => namesIn(code ?? '').map((name) => `${id}: ${name}`));
  return [...imported.filter((id) => /^node:|__vite-browser-external/.test(id)), ...used];
}

test.each(apps)('a bundle with %s contains nothing of Node or of @msw/data', async (_, source) => {
  expect(await nodeIn(source)).toEqual([]);
  const modules = (await chunksOf(source)).flatMap((chunk) => Object.keys(chunk.modules));
  expect(modules.filter((id) => id.includes('/@msw/data/'))).toEqual([]);
});

test('an app with the demo world loads less than 150 kB at once, compressed', async () => {
  const chunks = await chunksOf(`
    import { createMock } from 'livestream-mock';
    createMock({ world: 'demo' }).fetch(new Request('http://app.test/api/stream'));
  `);
  // The loop also visits what is added to the set in the meantime.
  const loaded = new Set(['app.js']);
  for (const name of loaded) {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    for (const imported of chunk?.imports ?? []) loaded.add(imported);
  }
  const code = chunks.filter(({ fileName }) => loaded.has(fileName)).map((chunk) => chunk.code);
  expect(code.length).toBeGreaterThan(0);
  expect(gzipSync(code.join('')).length).toBeLessThan(150_000);
});
