/** A fenced block, and the line on which its code begins. */
export interface CodeBlock {
  readonly language: string;
  readonly source: string;
  readonly line: number;
}

/** Every fenced block of a Markdown text, without its indent. @throws Error if one is not closed. */
export function blocksIn(markdown: string): CodeBlock[] {
  const blocks = [...markdown.matchAll(/^( *)```(\w*).*\n([\s\S]*?)^\1```$/gm)];
  const fences = markdown.match(/^ *```/gm)?.length ?? 0;
  if (fences !== 2 * blocks.length) throw new Error('expected every code block to be closed');
  return blocks.map(([, indent = '', language = '', source = ''], index) => ({
    language,
    source: source.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    line: lineAt(markdown, (blocks[index]?.index ?? 0) + 1) + 1,
  }));
}

/** The TypeScript blocks of a Markdown text. */
export function typeScriptIn(markdown: string): CodeBlock[] {
  return blocksIn(markdown).filter(({ language }) => /^(ts|typescript)$/.test(language));
}

/** The TypeScript blocks after `@example` in the comments of declarations. */
export function docExamples(declarations: string): CodeBlock[] {
  return [...declarations.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(({ 0: comment, index }) => {
    const [before = '', ...examples] = comment.replaceAll(/^[ \t]*\*[ /]?/gm, '').split('@example');
    return typeScriptIn(examples.join('@example')).map((block) => ({
      ...block,
      line: block.line + lineAt(declarations, index) + before.split('\n').length - 2,
    }));
  });
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
