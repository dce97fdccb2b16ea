/** A piece of TypeScript shown to readers, and the line of its file it starts on. */
export interface CodeBlock {
  readonly source: string;
  readonly line: number;
}

interface Line {
  readonly text: string;
  readonly number: number;
}

const docComment = /\/\*\*[\s\S]*?\*\//g;
const anyFence = /^\s*```/;
const openingFence = /^(\s*)```(?:ts|typescript)\b/;

/** The fenced TypeScript blocks of a Markdown text. */
export function fencedBlocks(markdown: string): CodeBlock[] {
  return fencedIn(numbered(markdown, 1));
}

/** The `@example` blocks of TypeScript declarations, fenced or bare. */
export function docExamples(declarations: string): CodeBlock[] {
  return [...declarations.matchAll(docComment)]
    .map(({ 0: text, index }) => numbered(withoutStars(text), lineAt(declarations, index)))
    .flatMap(exampleSections)
    .flatMap((section) =>
      section.some(({ text }) => anyFence.test(text)) ? fencedIn(section) : bareIn(section),
    );
}

function fencedIn(lines: readonly Line[]): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    const opening = lines[at];
    const end = lines.findIndex(({ text }, index) => index > at && anyFence.test(text));
    if (opening === undefined || !anyFence.test(opening.text)) {
      at += 1;
      continue;
    }
    if (end === -1) throw new Error(`The code block of line ${opening.number} is never closed.`);
    const indent = openingFence.exec(opening.text)?.[1];
    if (indent !== undefined) {
      const body = lines.slice(at + 1, end);
      blocks.push(
        block(
          body.map(({ text }) => text.slice(indent.length)),
          opening.number + 1,
        ),
      );
    }
    at = end + 1;
  }
  return blocks;
}

function bareIn(section: readonly Line[]): CodeBlock[] {
  const first = section.findIndex(({ text }) => text.trim() !== '');
  const lines = first === -1 ? [] : section.slice(first);
  return lines[0]
    ? [
        block(
          lines.map(({ text }) => text),
          lines[0].number,
        ),
      ]
    : [];
}

/** Each section runs to the next tag; an at sign inside a fence is code. */
function exampleSections(comment: readonly Line[]): Line[][] {
  const sections: Line[][] = [];
  let current: Line[] | undefined;
  let fenced = false;
  for (const { text, number } of comment) {
    const tag = fenced ? undefined : /^\s*@(\w+)\s?/.exec(text);
    if (tag) {
      current = tag[1] === 'example' ? [] : undefined;
      if (current) sections.push(current);
    }
    if (anyFence.test(text)) fenced = !fenced;
    current?.push({ text: tag ? text.slice(tag[0].length) : text, number });
  }
  return sections;
}

function block(lines: readonly string[], line: number): CodeBlock {
  return { source: `${lines.join('\n').trimEnd()}\n`, line };
}

function numbered(text: string, first: number): Line[] {
  return text.split(/\r?\n/).map((line, index) => ({ text: line, number: first + index }));
}

function withoutStars(comment: string): string {
  return comment.slice('/**'.length, -'*/'.length).replaceAll(/^[ \t]*\* ?/gm, '');
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
