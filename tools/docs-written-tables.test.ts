import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { groupBy } from '../conformance/model/group-by.ts';
import type { BehaviourDefinition } from '../interface/dialect/behaviour-definition.ts';
import { type BehaviourId, behaviourIds, definitionOf } from '../interface/dialect/behaviours.ts';
import {
  acceptanceWords,
  type Cell,
  type ErrorRule,
  hasBounds,
  isRefusal,
} from '../interface/dialect/cells.ts';
import { errorSampleOf } from '../interface/dialect/error-samples.ts';
import {
  errorClasses,
  errorClassMeanings,
  type RequestError,
} from '../interface/dialect/errors.ts';
import { allFieldsOf, bodyOperations, expectedOf } from '../interface/dialect/fields.ts';
import { type CellPosition, positions } from '../interface/dialect/matrix.ts';
import { isSameJson } from '../interface/json.ts';
import { interfaceOperations } from '../interface/operations.ts';
import { effectNames, effectOf } from '../mocks/faults/effects.ts';
import { variantNames } from '../mocks/variants/families.ts';
import { variants } from '../mocks/variants/variants.ts';

const aboutErrors = ['Sample', 'The mock'];
const aboutVariants = ['What the service did', 'Why it may', 'A test has to'];

/** A table of a page, by its head. */
interface Table {
  readonly head: readonly string[];
  readonly rows: () => string[][];
}

const tablesOfPages: Readonly<Record<string, readonly Table[]>> = {
  'dialects.md': [
    { head: ['Operation', 'Request'], rows: operationRows },
    { head: ['Class', 'What is wrong'], rows: classRows },
    { head: ['Word', 'What happens'], rows: wordRows },
    { head: ['Error', 'What is wrong', ...aboutErrors, 'Or'], rows: errorRows },
    { head: ['Field', 'Operations', 'Value', 'Kinds', 'Or'], rows: fieldRows },
    { head: ['Kind', 'What is wrong', ...aboutErrors], rows: kindRows },
  ],
  'variants.md': [
    { head: ['Variant', ...aboutVariants], rows: () => variantRows(false) },
    { head: ['Variant apart', ...aboutVariants], rows: () => variantRows(true) },
  ],
  'faults.md': [{ head: ['`effect`', 'What happens', 'Its own fields'], rows: effectRows }],
};

test.each(Object.entries(tablesOfPages))(
  'the tables of docs/%s match the code; `--update=true` writes them',
  async (page, tables) => {
    const file = `../docs/${page}`;
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    const written = tables.reduce(withTable, text);
    const isOfBehaviours = page === 'dialects.md';
    await expect(isOfBehaviours ? withBehaviours(written) : written).toMatchFileSnapshot(file);
  },
);

/** A page in which a table has the rows of the code. */
function withTable(text: string, { head, rows }: Table): string {
  const above = line(head) + line(head.map(() => '---'));
  expect(text).toContain(above);
  const start = text.indexOf(above) + above.length;
  // Right after the head, if there are no rows yet.
  const end = text.indexOf('\n\n', start - 1) + 1 || text.length;
  return text.slice(0, start) + rows().map(line).join('') + text.slice(end);
}

/** The page of dialects, which ends with all behaviours. */
function withBehaviours(text: string): string {
  const start = text.indexOf('\n### `', text.indexOf('\n## Behaviours\n'));
  expect(start).toBeGreaterThan(0);
  return `${text.slice(0, start)}\n${behaviourSections()}`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

function operationRows(): string[][] {
  return Object.entries(interfaceOperations).map(([name, { method, path }]) => [
    code(name),
    code(`${method} ${path}`),
  ]);
}

function classRows(): string[][] {
  return Object.entries(errorClassMeanings).map(([name, meaning]) => [code(name), meaning]);
}

function wordRows(): string[][] {
  return Object.entries(acceptanceWords).map(([word, { meaning }]) => [code(word), meaning]);
}

/** A row for each error that is not about a field, in the order of the classes. */
function errorRows(): string[][] {
  const others = positions.filter(({ error }) => !error.id.startsWith('field:'));
  const inOrder = errorClasses.flatMap((name) =>
    others.filter(({ error }) => error.class === name),
  );
  return groupBy(inOrder, ({ error }) => error.id).map((group) => {
    const [{ error }] = group;
    const others = new Set(group.flatMap(({ error }) => alternativesTo(error)));
    const mock = byDefault(group, ({ endpoint }) => endpoint);
    return [code(error.id), error.meaning, sampleCell(error), mock, listOf(others)];
  });
}

/** A row for each kind of wrong value, with the fields about which the mock does something unusual. */
function kindRows(): string[][] {
  const ofFields = positions.filter(({ error }) => error.id.startsWith('field:'));
  const countOf = new Map(
    groupBy(ofFields, ({ error }) => error.id).map((group) => [group[0].error.id, group.length]),
  );
  return groupBy(ofFields, ({ error }) => kindOf(error.id)).map((group) => {
    const [{ error }] = group;
    const mock = byDefault(group, ({ endpoint, error: { id, defaultCell } }) => {
      const alike = group.filter(
        (one) => one.error.id === id && isSameJson(one.error.defaultCell, defaultCell),
      );
      return alike.length === countOf.get(id) ? fieldOf(id) : `${fieldOf(id)} of ${endpoint}`;
    });
    return [code(kindOf(error.id)), error.meaning, sampleCell(error), mock];
  });
}

function fieldRows(): string[][] {
  const fields = bodyOperations.flatMap((operation) =>
    allFieldsOf(operation).map((field) => ({ operation, field })),
  );
  return groupBy(fields, ({ field }) => field.path).map((group) => {
    const [{ field }] = group;
    const operations = new Set(group.map(({ operation }) => operation));
    const errors = group.flatMap(({ field: { presence, errors, limits } }) => [
      ...(presence ? [presence] : []),
      ...errors,
      ...limits,
    ]);
    const others = new Set(errors.flatMap(alternativesTo));
    return [
      code(`field:${field.path}`),
      listOf(operations),
      expectedOf(field, undefined),
      listOf(new Set(errors.map(({ kind }) => kind))),
      listOf(others),
    ];
  });
}

/** `field:name` of `field:name:null`. */
function fieldOf(id: string): string {
  return id.slice(0, id.lastIndexOf(':'));
}

function kindOf(id: string): string {
  return id.slice(id.lastIndexOf(':') + 1);
}

/** In which ways an error can be accepted, except that of the mock. */
function alternativesTo({ acceptances, defaultCell }: ErrorRule): readonly string[] {
  return acceptances.filter((word) => !('as' in defaultCell && defaultCell.as === word));
}

/** What the mock does about an error; if that differs, the usual first, then the others with their places. */
function byDefault<Position extends CellPosition>(
  group: readonly Position[],
  nameOf: (position: Position) => string,
): string {
  const [usual = [], ...others] = groupBy(group, ({ error }) =>
    describeCell(error.defaultCell),
  ).toSorted((left, right) => right.length - left.length);
  const cellOf = ([first]: readonly Position[]) => first && describeCell(first.error.defaultCell);
  const exceptions = others.map((ofCell) => {
    const names = new Set(ofCell.map(nameOf));
    return `${cellOf(ofCell)} in ${[...names].map(code).join(', ')}`;
  });
  return [cellOf(usual), ...exceptions].join('; ');
}

function describeCell(cell: Cell): string {
  if (!isRefusal(cell)) return 'as' in cell ? code(cell.as) : code(JSON.stringify(cell));
  return hasBounds(cell) ? `${cell.status} above ${cell.above}` : String(cell.status);
}

/** A sample, as code unless it is described in words. */
function sampleCell(error: RequestError): string {
  const { literal, words = '' } = errorSampleOf(error);
  return literal === undefined ? words : code(literal);
}

function listOf(names: ReadonlySet<string>): string {
  return [...names].map(code).join(' ');
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

/** What each behaviour is about, with its values. */
function behaviourSections(): string {
  return behaviourIds.map(behaviourSection).join('\n');
}

function behaviourSection(id: BehaviourId): string {
  const { question, names = {}, defaultValue, example, ...definition } = definitionOf(id);
  const nameLines = Object.entries(names).map(([name, meaning]) => `- ${code(name)}: ${meaning}`);
  const valueLines = valuesOf(definition).map(({ form, meaning }) => `- ${form}: ${meaning}`);
  const lists =
    nameLines.length === 0
      ? [valueLines]
      : [nameLines, ['Each has one of these values:'], valueLines];
  const mock = `The mock: ${code(JSON.stringify(defaultValue))}. Example: ${code(`"${id}": ${JSON.stringify(example)}`)}.`;
  const paragraphs = [`### ${code(id)}`, question, ...lists.map((lines) => lines.join('\n')), mock];
  return `${paragraphs.join('\n\n')}\n`;
}

/** The values of a behaviour as a page shows them. */
function valuesOf({
  meanings,
  other,
  value,
}: Pick<BehaviourDefinition, 'meanings' | 'other' | 'value'>) {
  const words = Object.entries(meanings).map(([word, meaning]) => {
    const isText = value.safeParse(word).success;
    return { form: code(isText ? JSON.stringify(word) : word), meaning };
  });
  return other === undefined ? words : [...words, other];
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
