import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirements } from '../conformance/checks/catalogue.ts';
import { clauses } from './clauses.ts';

const page = readFileSync(new URL('../docs/interface.md', import.meta.url), 'utf8');
/** The page on one line, without the marks around code. */
const text = page.replaceAll('`', '').replaceAll(/\s+/g, ' ');

test.each(requirements)('$id cites clauses of the table: $clause', ({ clause }) => {
  for (const citation of clause.split(', ')) {
    const [number = '', ...rules] = citation.match(/[\d.]+/g) ?? [];
    expect(Object.keys(clauses)).toContain(number);
    for (const rule of rules) expect(clauses[number]?.rules?.[Number(rule) - 1]).toBeDefined();
  }
});

test.each(Object.entries(clauses))('docs/interface.md has clause %s', (number, clause) => {
  const anchor = `<a id="clause-${number.replace('.', '-')}"></a>`;
  expect(page).toMatch(new RegExp(`\n${anchor}\n\n##+ ${number} ${clause.title}\n`));
  expect(text).toContain(` ${clause.text} `);
  for (const [index, rule] of (clause.rules ?? []).entries()) {
    expect(text).toContain(` ${index + 1}. ${rule} `);
  }
});
