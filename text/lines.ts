import { styleText } from 'node:util';

/** How a piece of text looks. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Applies a style to text, or leaves it as it is if colours are off. */
export type Paint = (style: Style, text: string) => string;

/** The {@link Paint} with or without colours; the caller knows whether a terminal shows them. */
export function painter(colours: boolean): Paint {
  return (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text);
}

/** Breaks a text between words into lines of at most `width` characters, and keeps its line feeds. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && [...longer].length > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** Lines after a label: the first follows it, and the others are aligned with the first. */
export function behind(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => {
    const start = index === 0 ? label : ' '.repeat(label.length);
    return line === '' ? start.trimEnd() : start + line;
  });
}

/** Texts as a bulleted list. */
export function bullets(texts: readonly string[], width: number): string[] {
  return texts.flatMap((text) => behind('  - ', wrap(text, width - 4)));
}

/**
 * Text in which no CI service finds a command. GitHub runs lines that begin with `::` or contain `##[`,
 * Azure Pipelines lines with `##vso[`, TeamCity lines with `##teamcity[`.
 */
export function withoutCommands(text: string): string {
  return text
    .replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1\\u003a')
    .replace(/#(?=#\w*\[)/g, '\\u0023');
}
