import { describeValue } from './problem.ts';

/** Most characters that a message shows of the text at an error. */
const shown = 20;

/**
 * Says where a text stops being JSON and what is there, in the same words in every JavaScript engine.
 */
export function describeJsonError(text: string): string {
  const offset = errorOffset(text) ?? text.length;
  const cut = text.length > offset + shown ? '…' : '';
  const found = text.slice(offset, offset + shown) + cut;
  const lines = text.slice(0, offset).split('\n');
  const column = (lines.at(-1) ?? '').length + 1;
  return `${found === '' ? 'its end' : describeValue(found)} at line ${lines.length}, column ${column}`;
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

/** The offset at which a text stops being JSON; `undefined` for JSON. */
export function errorOffset(text: string): number | undefined {
  const open: ('[' | '{')[] = [];
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

function stateAround(container: '[' | '{' | undefined): State {
  if (container === undefined) return 'end';
  return container === '[' ? 'next item' : 'next key';
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
