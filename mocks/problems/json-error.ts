import { describeValue } from './problem.ts';

/** Characters that are shown of what stands there. */
const shown = 20;
/** Characters from a fault on that {@link describeFault} asks for. */
export const toldOfFault: number = shown + 1;

/** Where in a text something stands: lines, and characters in a line, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where a text begins. */
export const beginning: Place = { line: 1, column: 1 };

/**
 * Says where a text stops being JSON and what stands there, in words that are the same in every
 * JavaScript engine.
 */
export function describeJsonFault(text: string): string {
  const offset = faultOffset(text) ?? text.length;
  return describeFault(text.slice(offset, offset + toldOfFault), placeAt(text, offset));
}

/** The same of a fault that is known: `found` is the text from there on. */
export function describeFault(found: string, { line, column }: Place): string {
  const cut = found.length > shown ? '…' : '';
  const what = found === '' ? 'its end' : describeValue(found.slice(0, shown) + cut);
  return `${what} at line ${line}, column ${column}`;
}

/** Where the character at `offset` of a text stands, which itself begins at `start`. */
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

/** Which tokens may come in each state, and what is expected after them. */
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
 * Where a text stops being JSON; `undefined` where it does not. No value and no text of a token is
 * made on the way, so that a large text takes no memory. A text that goes on after a comma is told
 * `within` which containers it does, the outermost first.
 */
export function faultOffset(text: string, within: readonly Container[] = []): number | undefined {
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
/** As many as come, up to a number: the engine keeps a place to go back to for each. */
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

/** Where what a sticky pattern matches at a place ends: there, where it does not match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
