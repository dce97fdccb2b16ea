/** Text between others in Markdown, such that nothing in it is taken for markup, on one line. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .trim()
      // Emphasis, code, links, tables, strikethrough, formulas, and addresses that become links.
      .replace(/[\\`*_[\]|~$]|:(?=\/\/)|(?<=www)\./gi, '\\$&')
      // What makes a heading, a list or a line at the beginning of a block.
      .replace(/^[#+=-]|^(\d+)(?=[.)])/, (start, digits) => (digits ? `${digits}\\` : `\\${start}`))
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      // An escape does not keep GitHub from seeing a person or an issue; a comment does.
      .replace(/[@#](?=\w)/g, '$&<!-- -->')
  );
}

/** A block of code that its content cannot end. */
export function fence(text: string, language: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${text}\n${marks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
