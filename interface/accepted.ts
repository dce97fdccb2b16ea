import type { Acceptance, AcceptedAs, LimitBounds } from './cells.ts';
import { type Asked, isBodyOperation } from './errors.ts';
import { type Field, type FieldType, fieldAt } from './fields.ts';
import type { Json } from './json.ts';

/** A word for what becomes of an error. */
export type Word = AcceptedAs | 'constant' | 'redirect';

/** The words that a cell may take where its error is accepted, by operation and error: the first pattern that fits. */
const possible: readonly (readonly [errors: RegExp, ...words: readonly Word[]])[] = [
  [/ state:idle$/, 'done'],
  [/ path:unknown$| method:/],
  [/ path:/, 'accepted', 'redirect'],
  [/ (key|body|state|operation):/, 'accepted'],
  [/^listSessionsOfStream id:/, 'empty'],
  [/^retrieve\w+ id:session$/, 'session'],
  [/^retrieve\w+ id:/],
  [/ id:/, 'done'],
  [/^setRecord field:unknown:| query:unknown:/, 'dropped'],
  [/ query:\w+:given$| query:parentId:/, 'kept', 'dropped'],
  [/ query:record:| query:limit:large$/, 'kept'],
  [/ query:limit:fraction$/, 'dropped', 'rounded', 'truncated'],
  [/ query:/, 'dropped', 'empty'],
  [/ field:profiles:(null|none)$/, 'kept'],
  [/ field:profiles:equal$/, 'kept', 'dropped', 'element-dropped'],
  [/ field:profiles:|:given$/, 'kept', 'dropped'],
  [/ field:profiles\[\]:/, 'kept', 'element-dropped', 'array-dropped'],
];

/** The words that a cell may take where its error is accepted; of two that show the same, the first is written. */
export function wordsFor(asked: Asked, error: string): readonly Word[] {
  const found = possible.find(([errors]) => errors.test(`${asked} ${error}`));
  if (found !== undefined) return found.slice(1) as Word[];
  const [, path = '', kind = ''] = error.split(':');
  const field = isBodyOperation(asked) ? fieldAt(asked, path) : undefined;
  return field === undefined ? [] : wordsForField(field, kind);
}

/** The words into which a value of a type can be turned. */
const conversions: Readonly<Partial<Record<FieldType, Word>>> = {
  text: 'text',
  rendition: 'text',
  whole: 'number',
  count: 'number',
  boolean: 'boolean',
};

function wordsForField({ path, type }: Field, kind: string): readonly Word[] {
  const words: Word[] = ['kept'];
  if (kind !== 'missing') {
    words.push('dropped');
    const conversion = conversions[type];
    if (conversion !== undefined) words.push(conversion);
    if (kind === 'fraction') words.push('rounded');
    if (['fraction', 'small', 'large'].includes(kind)) words.push('truncated');
  }
  if (path.includes('[]')) words.push('element-dropped', 'array-dropped');
  if (type !== 'boolean') words.push('constant');
  return words;
}

/**
 * What an accepted value becomes; `undefined` where it is dropped. `bounds` are those of the cell: a value
 * beyond a limit is cut to it.
 */
export function convert(cell: Acceptance & LimitBounds, value: Json | undefined): Json | undefined {
  if ('constant' in cell) return cell.constant;
  if ('redirect' in cell) return value;
  switch (cell.as) {
    case 'dropped':
    case 'element-dropped':
    case 'array-dropped':
      return undefined;
    case 'boolean':
      return typeof value === 'string' ? value !== 'false' && value !== '' : Boolean(value);
    case 'number':
      return finiteOrNull(Number(value));
    case 'text':
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
    case 'rounded':
      return Math.round(Number(value));
    case 'truncated':
      return truncated(cell, value);
    default:
      return value;
  }
}

/** JSON has no other numbers. */
function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function truncated({ above, below }: LimitBounds, value: Json | undefined): Json {
  if (typeof value === 'string') return [...value].slice(0, above).join('');
  const number = Number(value);
  if (above === undefined || below === undefined) return Math.trunc(number);
  return number > above ? Math.min(number, above) : Math.max(number, below);
}
