import type { RefusalBody } from '../interface/dialect/cells.ts';
import type { Json } from '../interface/json.ts';
import { parseBoundedJson } from '../target/requests/bounded-json.ts';
import type { TargetResponse } from '../target/requests/exchange.ts';
import { readType } from './headers.ts';
import { isFieldPath, mapJson } from './json-shapes.ts';

/** A response that refuses a request. */
type RefusedResponse = Pick<TargetResponse, 'status' | 'headers' | 'text' | 'url' | 'sent'>;

/**
 * The form of a refusal's body, as a dialect writes it: `{message}` for a text, `{status}` for its status,
 * and 0 for any other number. Codes such as `{"code":"NOT_FOUND"}` stay, because clients read them.
 */
export function formOf(response: RefusedResponse): RefusalBody {
  const { headers, text, status } = response;
  if (text === '') return 'empty';
  const type = readType(headers);
  if (!/^application\/([\w.-]+\+)?json\b/.test(type)) return { type };
  const sentWords = wordsOf(response);
  const leaf = (value: string | number | boolean, key: string): Json => {
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number') return value === status ? '{status}' : 0;
    return isCode(key, value) && !sentWords.has(value.toLowerCase()) ? value : '{message}';
  };
  try {
    const json = mapJson(parseBoundedJson(text), { leaf, levels: maxLevels, keeps: isFieldPath });
    return JSON.stringify(json).length <= longest ? { type, json } : { type };
  } catch {
    return { type };
  }
}

/** Levels of objects and arrays in a form. Each level is a pass over everything below it. */
const maxLevels = 100;
/** Characters of a form: refusals are short, and a dialect may hold many of them. */
const longest = 4_000;

/**
 * Whether a text is a code for programs: one word, such as `gone`, `NOT_FOUND` or `E1001`, and not an id or a
 * number. Only some keys hold codes; at any other key, `acme-corp` may be the name of an account.
 */
function isCode(key: string, text: string): boolean {
  return (
    /(?:code|error|errors|type|reason|status|kind)$/i.test(key) &&
    /^[a-z][\w.-]{0,39}$/i.test(text) &&
    (/^[A-Z]{1,5}-?\d{1,5}$/.test(text) || !/\d{3}|\d[a-z]/i.test(text))
  );
}

/** The words of a request. A word that the response repeats is not a code. */
function wordsOf({ url, sent = '' }: RefusedResponse): ReadonlySet<string> {
  const { pathname, search } = new URL(url);
  return new Set(`${pathname} ${search} ${sent}`.toLowerCase().split(/[^\w.-]+/));
}
