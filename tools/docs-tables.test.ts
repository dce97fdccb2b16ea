import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variantTrials } from '../conformance/clients/trials.ts';
import { operationNames, operations, pathOf } from '../mocks/http/routes.ts';
import { files } from '../package.json' with { type: 'json' };
import { runCommand } from './command-line.test-support.ts';
import { type Page, pages } from './docs.test-support.ts';

const root = new URL('../', import.meta.url);

const tables = pages()
  .flatMap(({ text }) => text.match(/^\|.*$/gm) ?? [])
  .join('\n');

test('every link to a file of the repository leads to a file and a heading of it', () => {
  for (const { path, text } of markdownFiles()) {
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const target = new URL(link, new URL(path, root));
      expect(existsSync(target), `${link} in ${path}`).toBe(true);
      expect(isShipped(target), `${link} in ${path} leads out of the package`).toBe(true);
      const anchor = target.hash.slice(1);
      if (anchor === '') continue;
      expect(anchorsOf(readFileSync(target, 'utf8')), `${link} in ${path}`).toContain(anchor);
    }
  }
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])(
  'every file and folder that %s names exists',
  (name) => {
    const text = readFileSync(new URL(name, root), 'utf8');
    // A path with a placeholder such as <area> is an example, and a name with @ is a package.
    const paths = [...text.matchAll(/`(\w[\w.-]*\/[\w./-]*)`/g)].map(([, path = '']) => path);
    expect(paths).not.toEqual([]);
    expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  },
);

test('every operation is in a table of the docs', () => {
  for (const name of operationNames) {
    const line = `${operations[name].method} ${pathOf(name, '')}`;
    expect([`\`${line}\``, `\`${line}?`]).toSatisfy((forms: string[]) =>
      forms.some((form) => tables.includes(form)),
    );
  }
});

test('the report on an app that the docs show counts every variant that counts', () => {
  const page = readFileSync(new URL('docs/your-app.md', root), 'utf8');
  const headline = /Survives (\d+) of (\d+) variants that its tests met; (\d+) were not met/;
  const [survived = 0, met = 0, notMet = 0] = (headline.exec(page) ?? []).slice(1).map(Number);
  const broken = page.match(/^ {4}✗ breaks the app:/gm) ?? [];
  expect(met - survived).toBe(broken.length);
  expect(met + notMet).toBe(variantTrials().filter(({ isApart }) => !isApart).length);
});

test('every option in the help is in a table of the docs', async () => {
  const { stdout } = await runCommand('--help');
  for (const [option] of stdout.matchAll(/--[a-z-]+/g)) {
    expect(tables).toMatch(new RegExp(`\`${option}[\` ]`));
  }
});

test('every type that the package exports is named in the docs', () => {
  const entry = readFileSync(new URL('mocks/index.ts', root), 'utf8');
  const shown = readFileSync(new URL('docs/frontend.md', root), 'utf8');
  const types = [...entry.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, all, names = '']) =>
    [...names.matchAll(/(type )?\b([A-Z]\w+)/g)].flatMap(([, one, name]) =>
      all || one ? [name] : [],
    ),
  );
  expect(types.length).toBeGreaterThan(20);
  expect(types.filter((name) => !shown.includes(`\`${name}\``))).toEqual([]);
});

/** Whether a file is in the package. Links must work there as they do in a clone. */
function isShipped(file: URL): boolean {
  return ['README.md', 'LICENSE', ...files].some((shipped) =>
    file.pathname.startsWith(new URL(shipped, root).pathname),
  );
}

/** The pages, and the other Markdown files in the root folder. */
function markdownFiles(): readonly Page[] {
  const names = readdirSync(root).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const others = names.map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }));
  return [...pages(), ...others];
}

/** The anchors of the headings in a Markdown text, as GitHub writes them, and explicit ones. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\d _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}
