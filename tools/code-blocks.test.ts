import { describe, expect, it } from 'vitest';
import { docExamples, fencedBlocks } from './code-blocks.ts';

describe('fencedBlocks', () => {
  it('takes the TypeScript blocks and no others', () => {
    const markdown = [
      '# Title',
      '```sh',
      'npm test',
      '```',
      '```ts',
      'const a = 1;',
      '',
      'const b = 2;',
      '```',
      'words',
      '```typescript',
      'const c = 3;',
      '```',
      '```tsx',
      '<p />',
      '```',
    ].join('\n');
    expect(fencedBlocks(markdown)).toEqual([
      { source: 'const a = 1;\n\nconst b = 2;\n', line: 6 },
      { source: 'const c = 3;\n', line: 12 },
    ]);
  });

  it('takes off the indent of a block in a list', () => {
    expect(fencedBlocks('- so:\n  ```ts\n  if (a) {\n    b();\n  }\n  ```')).toEqual([
      { source: 'if (a) {\n  b();\n}\n', line: 3 },
    ]);
  });

  it('refuses a block that is never closed', () => {
    expect(() => fencedBlocks('words\n```ts\nconst a = 1;')).toThrow('line 2 is never closed');
  });

  it('finds no block in a text without fences', () => {
    expect(fencedBlocks('`ts` in a line')).toEqual([]);
  });
});

describe('docExamples', () => {
  it('takes a fenced example with its title left out', () => {
    const declarations = [
      'declare const before: 1;',
      '  /**',
      '   * Words.',
      '   *',
      '   * @example Start it',
      '   * ```ts',
      '   * @decorated',
      '   * class A {',
      '   *   b = 1;',
      '   * }',
      '   * ```',
      '   * @returns nothing',
      '   */',
      'declare function start(): void;',
    ].join('\n');
    expect(docExamples(declarations)).toEqual([
      { source: '@decorated\nclass A {\n  b = 1;\n}\n', line: 7 },
    ]);
  });

  it('takes bare examples, each to the next tag', () => {
    const declarations = [
      '/**',
      ' * @example',
      ' * const a = 1;',
      ' *',
      ' * @example const b = 2;',
      ' * @param c - a number',
      ' */',
      '/** @example const d = 4; */',
    ].join('\n');
    expect(docExamples(declarations)).toEqual([
      { source: 'const a = 1;\n', line: 3 },
      { source: 'const b = 2;\n', line: 5 },
      { source: 'const d = 4;\n', line: 8 },
    ]);
  });

  it('leaves a fence of another language and a fence outside an example', () => {
    const declarations = [
      '/**',
      ' * ```ts',
      ' * not an example',
      ' * ```',
      ' * @example',
      ' * ```sh',
      ' * npm test',
      ' * ```',
      ' */',
    ].join('\n');
    expect(docExamples(declarations)).toEqual([]);
  });
});
