import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { behaviourIds, definitionOf } from '../interface/dialect/behaviours.ts';
import { endpointNames, errorsOf } from '../interface/dialect/errors.ts';
import { effectNames, effectOf } from '../mocks/faults/effects.ts';
import { variantNames } from '../mocks/variants/families.ts';
import { variants } from '../mocks/variants/variants.ts';

const aboutVariants = ['What the service did', 'Why it may', 'A test has to'];

test.each([
  { page: 'dialects.md', head: ['Errors', 'Ids'], rows: errorRows },
  { page: 'dialects.md', head: ['Behaviour', 'Question'], rows: behaviourRows },
  { page: 'variants.md', head: ['Variant', ...aboutVariants], rows: () => variantRows(false) },
  { page: 'variants.md', head: ['Variant apart', ...aboutVariants], rows: () => variantRows(true) },
  { page: 'faults.md', head: ['`effect`', 'What happens', 'Its own fields'], rows: effectRows },
])(
  'the table of $head in docs/$page matches the code; `--update=true` writes it',
  async ({ page, head, rows }) => {
    const file = `../docs/${page}`;
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    const above = line(head) + line(head.map(() => '---'));
    const start = text.indexOf(above) + above.length;
    const end = text.indexOf('\n\n', start) + 1 || text.length;
    const written = text.slice(0, start) + rows().map(line).join('') + text.slice(end);
    await expect(written).toMatchFileSnapshot(file);
  },
);

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

/** Ids that name a field or a query parameter. */
const named: Readonly<Record<string, string>> = { field: 'field:PATH', query: 'query:NAME' };

/** A row for each first part of an id, with what follows it; for fields and queries, only the kinds of errors. */
function errorRows(): string[][] {
  const ids = endpointNames.flatMap((endpoint) => errorsOf[endpoint].map(({ id }) => id));
  const parts = new Map<string, Set<string>>();
  for (const id of ids) {
    const [first = '', ...rest] = id.split(':');
    const known = parts.get(first) ?? new Set();
    known.add(named[first] === undefined ? rest.join(':') : (rest.at(-1) ?? ''));
    parts.set(first, known);
  }
  return [...parts].map(([first, known]) => [
    `\`${named[first] ?? first}:…\``,
    [...known].map((part) => `\`${part}\``).join(' '),
  ]);
}

function behaviourRows(): string[][] {
  return behaviourIds.map((id) => [`\`${id}\``, definitionOf(id).question]);
}

function variantRows(apart: boolean): string[][] {
  return variantNames.flatMap((name) => {
    const { statement, argument, metBy, audience, isApart = false } = variants[name];
    return audience === 'app' && isApart === apart
      ? [[`\`${name}\``, statement, argument, metBy]]
      : [];
  });
}

function effectRows(): string[][] {
  return effectNames.map((name) => {
    const { summary, fields, needsDelay } = effectOf({ effect: name });
    const own = [...Object.keys(fields), ...(needsDelay ? ['delay'] : [])];
    return [`\`${name}\``, summary, own.map((field) => `\`${field}\``).join(', ')];
  });
}
