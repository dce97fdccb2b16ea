import { type ParseError, parse } from 'jsonc-parser';
import { describeValue } from '../problem.ts';

/**
 * Says where a text stops being JSON and what stands there, in words that are the same in every
 * JavaScript engine.
 */
export function describeJsonFault(text: string): string {
  const offset = faultOffset(text);
  if (offset === undefined) return 'text that nests too deep to be read';
  const before = text.slice(0, offset).split('\n');
  const found = offset < text.length ? describeValue(text.slice(offset, offset + 20)) : 'its end';
  return `${found} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
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
