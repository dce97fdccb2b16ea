import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirements } from './catalogue.ts';

test('every id is unique and begins with its area (with RECORD for inheritance)', () => {
  const ids = requirements.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, area } of requirements) {
    expect(id).toMatch(/^[A-Z]+-[1-9]\d*$/);
    const named = area === 'inheritance' ? 'record' : area;
    expect(named.toUpperCase().startsWith(id.replace(/-\d+$/, ''))).toBe(true);
  }
});

test('every must has a check, or a reason why there cannot be one', () => {
  for (const requirement of requirements) {
    const said = 'untestable' in requirement ? requirement.untestable.length > 20 : true;
    const checked = 'check' in requirement && typeof requirement.check === 'function';
    expect(checked !== 'untestable' in requirement && said, requirement.id).toBe(true);
  }
});

test('every clause that states something has a requirement', () => {
  const clauses = requirements.flatMap(({ clause }) => clause.split(', '));
  const named = new Set(clauses.map((clause) => clause.split(' ')[0]));
  const stating = ['1', '2.1', '2.2', '2.3', '3', '4.1', '4.2', '4.3', '4.4', '5'];
  expect(stating.filter((clause) => !named.has(clause))).toEqual([]);
});

test('every derived requirement says why, in a sentence', () => {
  for (const { id, basis } of requirements) {
    if (basis.kind === 'derived') expect(basis.because, id).toMatch(/\S{2,}.*\.$/);
  }
});

test('the docs name no requirement that does not exist', () => {
  const docs = new URL('../../docs/', import.meta.url);
  const text = readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(new URL(name, docs), 'utf8'));
  const ids = requirements.map(({ id }) => id);
  const named = text.join().match(/\b(CREATE|RECORD|LIST|AUTH|MEDIA|OBSERVE)-\d+\b/g) ?? [];
  expect(named).not.toEqual([]);
  for (const id of named) expect(ids).toContain(id);
});
