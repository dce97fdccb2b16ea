import { describeValue } from './problem.ts';

/** Characters that are shown of what stands there. */
const shown = 20;

/**
 * Says where a text stops being JSON and what stands there, in words that are the same in every
 * JavaScript engine.
 */
export function describeJsonFault(text: string): string {
  const offset = faultOffset(text) ?? text.length;
  const cut = offset + shown < text.length ? '…' : '';
  const found = text.slice(offset, offset + shown) + cut;
  const what = found === '' ? 'its end' : describeValue(found);
  return `${what} at ${describePlace(text, offset)}`;
}

function describePlace(text: string, offset: number): string {
  let line = 1;
  let start = 0;
  for (let at = 0; at < offset; at += 1) {
    if (text.charCodeAt(at) !== 0x0a) continue;
    line += 1;
    start = at + 1;
  }
  return `line ${line}, column ${offset - start + 1}`;
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

/**
 * Where a text stops being JSON; `undefined` where it does not. No value and no text of a token is
 * made on the way, so that a large text takes no memory.
 */
export function faultOffset(text: string): number | undefined {
  const open: (keyof typeof stateWithin)[] = [];
  let state: State = 'value';
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

function stateAround(container: keyof typeof stateWithin | undefined): State {
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
