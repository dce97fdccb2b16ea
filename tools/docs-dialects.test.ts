import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { breakIds, breakOf } from '../interface/breaks.ts';
import { rowIds, rowOf } from '../interface/silent.ts';

const head = {
  rows: '| Row | Question | Without a dialect | Values |\n| --- | --- | --- | --- |\n',
  breaks:
    '| Break | Example | What the mock then does | `check` then fails |\n| --- | --- | --- | --- |\n',
} as const;

test('the tables in docs/dialects.md are those of the code; `--update=true` writes them', async () => {
  const page = readFileSync(new URL('../docs/dialects.md', import.meta.url), 'utf8');
  const written = withTable(withTable(page, head.breaks, breakIds.map(breakLine)), head.rows, [
    ...rowIds.map(rowLine),
  ]);
  await expect(written).toMatchFileSnapshot('../docs/dialects.md');
});

function rowLine(id: (typeof rowIds)[number]): string {
  const { question, values, default: usual } = rowOf(id);
  const expected = values.safeParse(undefined).error?.issues[0]?.message;
  return line(`\`${id}\``, question, code(usual), expected);
}

function breakLine(id: (typeof breakIds)[number]): string {
  const { statement, requirements, samples } = breakOf(id);
  const [sample] = samples;
  return line(`\`${id}\``, code(sample), statement(sample), requirements(sample).join(', '));
}

function line(...cells: readonly (string | undefined)[]): string {
  return `| ${cells.map((cell) => cell?.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

/** The page with other lines below the head of one of its tables. */
function withTable(page: string, tableHead: string, lines: readonly string[]): string {
  const start = page.indexOf(tableHead) + tableHead.length;
  const end = page.indexOf('\n\n', start) + 1 || page.length;
  return page.slice(0, start) + lines.join('') + page.slice(end);
}
