import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { askedNames, errorsOf } from '../interface/errors.ts';
import { rowIds, rowOf } from '../interface/silent.ts';

const head = {
  errors: '| Errors | Ids |\n| --- | --- |\n',
  rows: '| Behaviour | Question |\n| --- | --- |\n',
} as const;

test('the tables in docs/dialects.md are those of the code; `--update=true` writes them', async () => {
  const page = readFileSync(new URL('../docs/dialects.md', import.meta.url), 'utf8');
  const withErrors = withTable(page, head.errors, errorLines());
  const written = withTable(withErrors, head.rows, rowIds.map(rowLine));
  await expect(written).toMatchFileSnapshot('../docs/dialects.md');
});

/** Ids that name a field or a query parameter. */
const named: Readonly<Record<string, string>> = { field: 'field:PATH', query: 'query:NAME' };

/** A line for each first part of an id, with what follows it; of fields and queries the kinds alone. */
function errorLines(): string[] {
  const ids = askedNames.flatMap((asked) => errorsOf[asked].map(({ id }) => id));
  const parts = new Map<string, Set<string>>();
  for (const id of ids) {
    const [first = '', ...rest] = id.split(':');
    const known = parts.get(first) ?? new Set();
    known.add(named[first] === undefined ? rest.join(':') : (rest.at(-1) ?? ''));
    parts.set(first, known);
  }
  return [...parts].map(([first, known]) => {
    return line(
      `\`${named[first] ?? first}:…\``,
      [...known].map((part) => `\`${part}\``).join(' '),
    );
  });
}

function rowLine(id: (typeof rowIds)[number]): string {
  return line(`\`${id}\``, rowOf(id).question);
}

function line(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

/** The page with other lines below the head of one of its tables. */
function withTable(page: string, tableHead: string, lines: readonly string[]): string {
  const start = page.indexOf(tableHead) + tableHead.length;
  const end = page.indexOf('\n\n', start) + 1 || page.length;
  return page.slice(0, start) + lines.join('') + page.slice(end);
}
