import { isObject } from '../interface/json.ts';

/** The word that a sample shows for a text at a key; `undefined` if the text may be anything. */
export type WordAt = (key: string, text: string) => string | undefined;

/** A word of letters, perhaps of several parts, and not an id or a name with spaces. */
const isWord = /^(?=.{1,40}$)[A-Za-z]+(?:[_-][A-Za-z]+)*$/;

/** The last words of keys that have few values. At any other key, what several records share may name a person or an account. */
const keysOfFewValues = new Set(
  `category codec event format kind level mode outcome phase plan priority protocol quality reason result role scope severity
  stage state status tier type unit visibility`.split(/\s+/),
);

/** Whether a key such as `phase` or `recordingStatus` has few values. */
function hasFewValues(key: string): boolean {
  const [last = ''] = /[A-Z]?[a-z]+$/.exec(key) ?? [];
  return keysOfFewValues.has(last.toLowerCase());
}

/**
 * Finds the words that stand in samples as they are, as typed clients read them: keys with few values, such as `phase` and
 * `type`, have one of those that were seen. It must be in several records, or in the documentation.
 * @param records JSON in which records are, down to `levels`
 */
export function wordsIn(records: unknown, levels: number, documented: ReadonlySet<string>): WordAt {
  const texts = textsByKey(records, levels);
  const words = new Map<string, string | undefined>();
  for (const [key, values] of texts) {
    const ofDocumentation = mostFrequent(values.filter((value) => documented.has(value)));
    words.set(key, ofDocumentation ?? (hasFewValues(key) ? sharedWord(values) : undefined));
  }
  return (key, text) => words.get(key) ?? (documented.has(text) ? text : undefined);
}

/** Whether a text can be one of the few values of a key. */
export function isSampleWord(text: unknown): text is string {
  return typeof text === 'string' && isWord.test(text);
}

/** A word that several records have at a key which has few values, and only words. */
function sharedWord(values: readonly string[]): string | undefined {
  const isOfFew = new Set(values).size * 2 <= values.length;
  return isOfFew && values.every(isSampleWord) ? mostFrequent(values) : undefined;
}

/** The most frequent text; of several, the first in the alphabet. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [most] = [...counts].sort(
    ([left, ofLeft], [right, ofRight]) => ofRight - ofLeft || (left < right ? -1 : 1),
  );
  return most?.[0];
}

/** The texts at each key of all objects. */
function textsByKey(json: unknown, levels: number, texts = new Map<string, string[]>()) {
  if (levels < 0 || typeof json !== 'object' || json === null) return texts;
  for (const [key, value] of Object.entries(json)) {
    if (typeof value !== 'string') textsByKey(value, levels - 1, texts);
    else if (isObject(json)) addTo(texts, key, value);
  }
  return texts;
}

function addTo(texts: Map<string, string[]>, key: string, text: string): void {
  const known = texts.get(key);
  if (known === undefined) texts.set(key, [text]);
  else known.push(text);
}
