import type { Json, RefusalBody } from '../interface/silent-row.ts';

/** A response that refuses a request. */
interface Refused {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * The form of a refusal's body, as a dialect writes it: `{message}` for a text, `{status}` for the number
 * of the status, 0 for another number. Codes such as `{"code":"NOT_FOUND"}` stay, as clients read them.
 */
export function formOf({ status, headers, text }: Refused): RefusalBody {
  if (text === '') return 'empty';
  const type = readType(headers);
  if (!/^application\/([\w.-]+\+)?json\b/.test(type)) return { type };
  try {
    return { type, json: template(JSON.parse(text), { status, key: '', depth: 0 }) };
  } catch {
    return { type };
  }
}

/** The content type as dialects write it; `text/plain` for one that no dialect can have. */
function readType(headers: Headers): string {
  const type = (headers.get('content-type') ?? '').toLowerCase().replace(/\s*;\s*/g, '; ');
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:; charset=[\w-]{1,20})?$/.test(type)
    ? type
    : 'text/plain';
}

/** Containers in containers that a form shows. */
const deepest = 6;
/** Items of an object that a form shows. */
const mostKeys = 40;

/** Where a value of a refusal's body is. */
interface Place {
  readonly status: number;
  /** The nearest key around it. */
  readonly key: string;
  readonly depth: number;
}

function template(value: unknown, { status, key, depth }: Place): Json {
  if (typeof value === 'string') return isCode(key, value) ? value : '{message}';
  if (typeof value === 'number') return value === status ? '{status}' : 0;
  if (typeof value === 'boolean' || value === null) return value;
  if (depth === deepest) return null;
  if (Array.isArray(value)) {
    const items = value
      .slice(0, mostKeys)
      .map((item) => template(item, { status, key, depth: depth + 1 }));
    const texts = new Map(items.map((item) => [JSON.stringify(item), item]));
    return [...texts.values()];
  }
  const entries = Object.entries(value as object).filter(([name]) => isPlainKey(name));
  return Object.fromEntries(
    entries
      .slice(0, mostKeys)
      .map(([name, item]) => [name, template(item, { status, key: name, depth: depth + 1 })]),
  );
}

/** Whether a key is a name that programs use, and no id or address. */
export function isPlainKey(key: string): boolean {
  return /^[A-Za-z_][\w-]{0,60}$/.test(key) && !/\d{3}|\d[a-f]\d/i.test(key);
}

/**
 * Whether a text is a code for programs, such as `NOT_FOUND`, `not-found` or `NotFound`. Elsewhere than at
 * the key of a code, `acme-corp` may be the name of an account.
 */
function isCode(key: string, text: string): boolean {
  return (
    /(?:code|error|errors|type|reason|status|kind)$/i.test(key) &&
    text.length <= 40 &&
    /^(?:[A-Z]+(?:_[A-Z]+)*|[a-z]+(?:[_-][a-z]+)+|(?:[A-Z][a-z]+){2,})$/.test(text)
  );
}
