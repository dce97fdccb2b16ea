import { visible } from './visible.ts';

/** Where a text is not JSON. Lines and columns count from 1; a column is a UTF-16 unit, as in editors. */
interface JsonMistake {
  readonly line: number;
  readonly column: number;
  /** What JSON has there, such as `a comma or ]`. */
  readonly belongs: string;
}

/** A text is not JSON. The message says where, in the same words in every engine, and quotes nothing of the text. */
export class JsonError extends SyntaxError {
  override readonly name = 'JsonError';
  /** The line with the mistake; of a long one, the part around the mistake. It may hold a secret. */
  readonly excerpt: string;

  constructor(text: string, { line, column, belongs }: JsonMistake, linesBefore: number) {
    super(
      `a syntax error in line ${linesBefore + line}, column ${column} (${belongs} belongs there)`,
    );
    this.excerpt = excerptOf(text.split('\n')[line - 1] ?? '', column);
  }
}

/**
 * The value of a JSON text. Editors may have put a byte order mark before it.
 * @param linesBefore how many lines come before it in its file
 * @throws JsonError for any other text.
 */
export function parseJsonText(text: string, linesBefore = 0): unknown {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  try {
    return JSON.parse(json);
  } catch (exception) {
    const mistake = findMistake(json);
    throw mistake === undefined ? exception : new JsonError(json, mistake, linesBefore);
  }
}

const longestExcerpt = 72;

function excerptOf(line: string, column: number): string {
  const trimmed = line.trimEnd();
  if (trimmed.length <= longestExcerpt) return visible(trimmed.trimStart());
  const start = Math.max(0, Math.min(column - longestExcerpt / 2, trimmed.length - longestExcerpt));
  const end = start + longestExcerpt;
  const part = visible(trimmed.slice(start, end));
  return `${start > 0 ? '…' : ''}${part}${end < trimmed.length ? '…' : ''}`;
}

/** A piece of a JSON text: a bracket or sign, a string, or a number, `true`, `false` or `null`. */
type TokenKind = '[' | ']' | '{' | '}' | ',' | ':' | 'string' | 'scalar';

type Place = keyof typeof belongsAt;

/** What belongs at each place of a JSON text, as messages say it. */
const belongsAt = {
  value: 'a value',
  firstItem: 'a value or ]',
  afterItem: 'a comma or ]',
  firstKey: 'a key in double quotes or }',
  key: 'a key in double quotes',
  afterKey: 'a colon',
  afterMember: 'a comma or }',
  end: 'nothing more',
} as const;

/** The tokens that can stand at each place, and the places that each of them opens: the last comes next. */
const opensAt: Readonly<Record<Place, Partial<Record<TokenKind, readonly Place[]>>>> = {
  value: { string: [], scalar: [], '[': ['firstItem'], '{': ['firstKey'] },
  firstItem: {
    string: ['afterItem'],
    scalar: ['afterItem'],
    '[': ['afterItem', 'firstItem'],
    '{': ['afterItem', 'firstKey'],
    ']': [],
  },
  afterItem: { ',': ['afterItem', 'value'], ']': [] },
  firstKey: { string: ['afterMember', 'value', 'afterKey'], '}': [] },
  key: { string: ['value', 'afterKey'] },
  afterKey: { ':': [] },
  afterMember: { ',': ['afterMember', 'key'], '}': [] },
  end: {},
};

/** The first mistake in a text; `undefined` if it is JSON. It does not recurse, because a text can be nested deeply. */
function findMistake(text: string): JsonMistake | undefined {
  const places: Place[] = ['end', 'value'];
  let at = endOf(space, text, 0);
  for (;;) {
    const place = places.pop() ?? 'end';
    if (place === 'end' && at === text.length) return undefined;
    const token = readToken(text, at);
    const opened = token && opensAt[place][token.kind];
    if (token === undefined || opened === undefined) return mistakeAt(text, at, belongsAt[place]);
    if (token.belongs !== undefined) return mistakeAt(text, token.end, token.belongs);
    places.push(...opened);
    at = endOf(space, text, token.end);
  }
}

interface Token {
  readonly kind: TokenKind;
  /** Where it ends; in a string with a mistake, where that is. */
  readonly end: number;
  /** What belongs where a string has a mistake. */
  readonly belongs?: string;
}

/** The token that begins at a place; `undefined` if none does. */
function readToken(text: string, at: number): Token | undefined {
  const character = text.charAt(at);
  if (character === '"') return readString(text, at);
  if (isSign(character)) return { kind: character, end: at + 1 };
  const end = endOf(scalar, text, at);
  return end === at ? undefined : { kind: 'scalar', end };
}

function isSign(character: string): character is Exclude<TokenKind, 'string' | 'scalar'> {
  return character !== '' && '[]{},:'.includes(character);
}

function readString(text: string, start: number): Token {
  let at = start + 1;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') return { kind: 'string', end: at + 1 };
    const end = character === '\\' ? endOf(escapeSequence, text, at) : at + 1;
    if (end === at || character < ' ') {
      return { kind: 'string', end: at, belongs: 'an escape such as \\n or \\u0000' };
    }
    at = end;
  }
  return { kind: 'string', end: at, belongs: 'a closing quotation mark' };
}

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Where the match of a sticky pattern that begins at a place ends; that place if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function mistakeAt(text: string, at: number, belongs: string): JsonMistake {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, belongs };
}
