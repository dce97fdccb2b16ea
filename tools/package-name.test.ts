import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Commands that fetch the package by its unregistered name: they would run the code of whoever registers it. */
const fetches = [
  // Without --no-install, npx fetches a missing package, and in CI it does not even ask.
  /\b(?:npx|bunx|(?:npm|pnpm|yarn) (?:exec|x|dlx|create|init)) (?!--no-install\b)[^\n|;&`]*\blivestream-mock\b/,
  /\b(?:npm|pnpm|yarn|bun) (?:install|i|add|ci)\b[^\n|;&`]* ["']?livestream-mock["']?(?:@|\s|$)/m,
  // As a dependency with a version.
  /"livestream-mock": *"[\^~]?\d/,
];

test.each([
  ['npx livestream-mock serve', true],
  ['npm install --save-dev livestream-mock', true],
  ['"livestream-mock": "^0.1.0"', true],
  ['npx --no-install livestream-mock serve', false],
  ['npm install --save-dev ./vendor/livestream-mock-0.1.0.tgz', false],
  ['npm install --save-dev git+file:///path/to/livestream-mock', false],
])('"%s" would fetch the package by its name: %s', (command, would) => {
  expect(fetches.some((pattern) => pattern.test(command))).toBe(would);
});

test('no file of the repository fetches it by its name', () => {
  const options = { cwd: root, encoding: 'utf8' } as const;
  const files = execFileSync('git', ['grep', '-Il', 'livestream-mock'], options).trim().split('\n');
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'action.yml', 'examples/ci/pre-push']),
  );
  const found = files
    .filter((file) => file !== 'tools/package-name.test.ts')
    .filter((file) =>
      fetches.some((pattern) => pattern.test(readFileSync(join(root, file), 'utf8'))),
    );
  expect(found).toEqual([]);
});
