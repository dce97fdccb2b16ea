import { type ParseError, parse } from 'jsonc-parser';
import { describeValue } from '../problem.ts';

/** Characters that are shown of what stands there. */
const shown = 20;

/**
 * Says where a text stops being JSON and what stands there, in words that are the same in every
 * JavaScript engine.
 */
export function describeJsonFault(text: string): string {
  const offset = faultOffset(text);
  if (offset === undefined) return 'text that nests too deep to be read';
  const before = text.slice(0, offset).split('\n');
  const cut = offset + shown < text.length ? '…' : '';
  const found = text.slice(offset, offset + shown) + cut;
  const what = found === '' ? 'its end' : describeValue(found);
  return `${what} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
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
