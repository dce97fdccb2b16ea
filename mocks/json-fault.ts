import { type ParseError, parse } from 'jsonc-parser';
import { describeValue } from './problem.ts';

/** Characters that are shown of what stands there. */
const shown = 20;
/** Characters of a text that are looked through; the parser's memory grows with them. */
const longest = 1024 * 1024;

/**
 * Says where a text stops being JSON and what stands there, in words that are the same in every
 * JavaScript engine. Of a long text it says what `error`, which `JSON.parse` has thrown, tells.
 */
export function describeJsonFault(text: string, error: Error): string {
  if (text.length > longest) return describeLong(text, error.message);
  const offset = faultOffset(text);
  if (offset === undefined) return 'text that nests too deep to be read';
  const before = text.slice(0, offset).split('\n');
  const cut = offset + shown < text.length ? '…' : '';
  const found = text.slice(offset, offset + shown) + cut;
  const what = found === '' ? 'its end' : describeValue(found);
  return `${what} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function describeLong(text: string, message: string): string {
  if (message.includes('end of JSON')) return `its end after ${text.length} characters`;
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined) {
    return `${text.length} characters, too many to say where they are none`;
  }
  const offset = Number(position);
  return `${describeValue(text.slice(offset, offset + 20))} at position ${position}`;
}

function faultOffset(text: string): number | undefined {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    // The parser calls itself for every level.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return errors[0]?.offset ?? 0;
}
