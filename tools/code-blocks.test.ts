import { expect, test } from 'vitest';
import { blocksIn, docExamples, typeScriptIn } from './code-blocks.ts';

test('a text has a block for each fence, without its indent, and the line of its code', () => {
  const markdown =
    'Words\n```sh\nnpm test\n```\n- so:\n  ```typescript\n  if (a) {\n    b();\n  }\n  ```\n`ts` in a line\n```ts\nconst a = 1;\n\nconst b = 2;\n```';
  expect(blocksIn(markdown).map(({ language }) => language)).toEqual(['sh', 'typescript', 'ts']);
  expect(typeScriptIn(markdown)).toEqual([
    { language: 'typescript', source: 'if (a) {\n  b();\n}\n', line: 7 },
    { language: 'ts', source: 'const a = 1;\n\nconst b = 2;\n', line: 13 },
  ]);
});

test('a block that is never closed is refused', () => {
  expect(() => blocksIn('words\n```ts\nconst a = 1;')).toThrow('every code block to be closed');
});

test('an example of a declaration is its TypeScript, and no other block of its comment is one', () => {
  const declarations = `declare const before: 1;
  /**
   * \`\`\`ts
   * not an example
   * \`\`\`
   *
   * @example Start it
   * \`\`\`ts
   * @decorated
   * class A {
   *   b = 1;
   * }
   * \`\`\`
   * \`\`\`sh
   * npm test
   * \`\`\`
   * @returns nothing
   */
  declare function start(): void;`;
  expect(docExamples(declarations)).toEqual([
    { language: 'ts', source: '@decorated\nclass A {\n  b = 1;\n}\n', line: 9 },
  ]);
});
