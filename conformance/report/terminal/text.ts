/** SGR codes by the styles that a report uses. */
const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** How a piece of text is to look. */
export type Style = keyof typeof styles;

/** Gives text a look, or leaves it as it is where colours are off. */
export type Paint = (style: Style, text: string) => string;

/** What lines are written for. */
export interface Page {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
  /** Whether everything is shown, or what decides on the verdict alone. */
  readonly verbose: boolean;
}

/** The {@link Paint} of a terminal with or without colours. */
export function painter(colours: boolean): Paint {
  return (style, text) => (colours ? `\u001b[${styles[style]}m${text}\u001b[0m` : text);
}

/** Lines of at most so many characters, broken between words; line feeds in the text stay. */
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

/** The first line begins with `label`, the others stand below its end. */
export function hang(label: string, lines: readonly string[], labelWidth: number): string[] {
  return lines.map((line, index) => (index === 0 ? label : '').padEnd(labelWidth) + line);
}

/** Lines moved to the right. */
export function indent(lines: readonly string[], by = 2): string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));
}

/**
 * Text of which no CI service takes a line for a command: GitHub those that begin with `::` or hold
 * `##[`, Azure Pipelines and TeamCity those with `##vso[` and `##teamcity[`.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, '$1\\u003a').replace(/#(?=#\w*\[)/g, '\\u0023');
}
