import type { Acceptance, AcceptedAs, LimitBounds } from './cells.ts';
import { type Asked, isBodyOperation } from './errors.ts';
import { type Field, type FieldType, fieldAt } from './fields.ts';
import type { Json } from './json.ts';

/** A word for what becomes of an error. */
export type Word = AcceptedAs | 'constant' | 'redirect';

/** The words that a cell may take where its error is accepted; of two that show the same, the first is written. */
export function wordsFor(asked: Asked, error: string): readonly Word[] {
  const [head, name = '', kind = ''] = error.split(':');
  switch (head) {
    case 'key':
    case 'body':
    case 'operation':
      return ['accepted'];
    case 'path':
      return name === 'unknown' ? [] : ['accepted', 'redirect'];
    case 'state':
      return name === 'idle' ? ['done'] : ['accepted'];
    case 'id':
      return wordsForId(asked, name);
    case 'query':
      return wordsForQuery(name, kind);
    case 'field': {
      const field = isBodyOperation(asked) ? fieldAt(asked, name) : undefined;
      if (asked === 'setRecord' && name === 'unknown') return ['dropped'];
      return field === undefined ? [] : wordsForField(field, kind);
    }
    default:
      return [];
  }
}

function wordsForId(asked: Asked, name: string): readonly AcceptedAs[] {
  if (asked === 'listSessionsOfStream') return ['empty'];
  if (name === 'session' && asked.startsWith('retrieve')) return ['session'];
  return asked.startsWith('retrieve') ? [] : ['done'];
}

function wordsForQuery(name: string, kind: string): readonly AcceptedAs[] {
  if (name === 'unknown') return ['dropped'];
  if (kind === 'given') return ['kept', 'dropped'];
  if (name === 'cursor') return ['dropped', 'empty'];
  if (name === 'record') return ['kept'];
  if (name === 'limit' && kind === 'large') return ['kept'];
  if (name === 'limit' && kind === 'fraction') return ['dropped', 'rounded', 'truncated'];
  if (name === 'limit') return ['dropped', 'empty'];
  return name === 'parentId' ? ['kept', 'dropped'] : ['dropped', 'empty'];
}

/** The words into which a value of a type can be turned. */
const conversions: Readonly<Partial<Record<FieldType, AcceptedAs | 'constant'>>> = {
  text: 'text',
  rendition: 'text',
  whole: 'number',
  count: 'number',
  boolean: 'boolean',
};

function wordsForField({ path, type }: Field, kind: string): readonly Word[] {
  const inArray: readonly Word[] = path.includes('[]') ? ['element-dropped', 'array-dropped'] : [];
  if (type === 'profiles') return wordsForProfiles(kind);
  if (type === 'profile') return ['kept', ...inArray];
  if (kind === 'given') return ['kept', 'dropped'];
  const constant: readonly Word[] = type === 'boolean' ? [] : ['constant'];
  if (kind === 'missing') return ['kept', ...inArray, ...constant];
  const conversion = conversions[type];
  return [
    'kept',
    'dropped',
    ...(conversion === undefined ? [] : [conversion]),
    ...(kind === 'fraction' ? (['rounded'] as const) : []),
    ...(['fraction', 'small', 'large'].includes(kind) ? (['truncated'] as const) : []),
    ...inArray,
    ...constant,
  ];
}

function wordsForProfiles(kind: string): readonly Word[] {
  if (kind === 'null' || kind === 'none') return ['kept'];
  return kind === 'equal' ? ['kept', 'dropped', 'element-dropped'] : ['kept', 'dropped'];
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
