import { describeValue } from './problem.ts';

/** Most characters that a message shows of the text at an error. */
const shown = 20;
/** Characters from an error on that {@link describeError} needs. */
export const shownOfError: number = shown + 1;

/** A place in a text: its line, and the character in the line, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The beginning of a text. */
export const beginning: Place = { line: 1, column: 1 };

/**
 * Says where a text stops being JSON and what is there, in the same words in every JavaScript engine.
 */
export function describeJsonError(text: string): string {
  const offset = errorOffset(text) ?? text.length;
  return describeError(text.slice(offset, offset + shownOfError), placeAt(text, offset));
}

/** The same for an error whose place is known; `found` is the text from there on. */
export function describeError(found: string, { line, column }: Place): string {
  const cut = found.length > shown ? '…' : '';
  const what = found === '' ? 'its end' : describeValue(found.slice(0, shown) + cut);
  return `${what} at line ${line}, column ${column}`;
}

/** The place of the character at `offset` in a text that begins at `start`. */
export function placeAt(text: string, offset: number, start: Place = beginning): Place {
  let { line, column } = start;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', lineStart)) {
    line += 1;
    column = 1;
    lineStart = at + 1;
  }
  return { line, column: column + offset - lineStart };
}

type Token = '[' | ']' | '{' | '}' | ',' | ':' | 'string' | 'word';
type State = 'value' | `${'first' | 'next'} ${'item' | 'key'}` | 'key' | 'colon' | 'end';
type Steps = Partial<Record<Token, State | 'value ended'>>;

const value: Steps = {
  '[': 'first item',
  '{': 'first key',
  string: 'value ended',
  word: 'value ended',
};

/** The tokens that may come in each state, and the state after them. */
const grammar: Readonly<Record<State, Steps>> = {
  value,
  'first item': { ...value, ']': 'value ended' },
  'next item': { ',': 'value', ']': 'value ended' },
  'first key': { string: 'colon', '}': 'value ended' },
  key: { string: 'colon' },
  colon: { ':': 'value' },
  'next key': { ',': 'key', '}': 'value ended' },
  end: {},
};

const stateWithin = { '[': 'next item', '{': 'next key' } as const;
type Container = keyof typeof stateWithin;

/**
 * The offset at which a text stops being JSON; `undefined` for JSON. It makes no values and no texts, so
 * that a large text needs no memory. For the rest of a text after a comma, `within` lists the open
 * containers, the outermost first.
 */
export function errorOffset(text: string, within: readonly Container[] = []): number | undefined {
  const open = [...within];
  let state: State = open.at(-1) === '{' ? 'key' : 'value';
  let at = endOfSpace(text, 0);
  while (at < text.length) {
    const token = tokenAt(text, at);
    const next: Steps[Token] = grammar[state][token];
    const end = endOfToken(token, text, at);
    if (next === undefined || end === undefined) return at;
    if (token === '[' || token === '{') open.push(token);
    if (token === ']' || token === '}') open.pop();
    state = next === 'value ended' ? stateAround(open.at(-1)) : next;
    at = endOfSpace(text, end);
  }
  return state === 'end' ? undefined : at;
}

function stateAround(container: Container | undefined): State {
  return container === undefined ? 'end' : stateWithin[container];
}

const spaces = /[ \t\n\r]*/y;
const words = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** At most 4096 at a time, as the engine keeps a place to go back to for each. */
const characters = /(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})){1,4096}/y;

function endOfSpace(text: string, start: number): number {
  return text.charCodeAt(start) > 0x20 ? start : endOf(spaces, text, start);
}

function tokenAt(text: string, at: number): Token {
  const char = text.charAt(at);
  if (char === '"') return 'string';
  return '[]{},:'.includes(char) ? (char as Token) : 'word';
}

function endOfToken(token: Token, text: string, start: number): number | undefined {
  if (token === 'string') return endOfString(text, start);
  const end = token === 'word' ? endOf(words, text, start) : start + 1;
  return end === start ? undefined : end;
}

function endOfString(text: string, start: number): number | undefined {
  let at = start + 1;
  for (let end = endOf(characters, text, at); end > at; end = endOf(characters, text, at)) at = end;
  return text.charAt(at) === '"' ? at + 1 : undefined;
}

/** The end of a sticky pattern's match at `at`; `at` where it does not match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
