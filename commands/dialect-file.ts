import { existsSync } from 'node:fs';
import { parseReviewedJson } from '../conformance/run/reviewed-file.ts';
import { bundledDialects, type Dialect, dialectSchema } from '../interface/dialect.ts';
import { validate } from '../mocks/messages/validate.ts';
import { fileOf } from './files.ts';

/** The dialect in the text of a file. @throws Error which names the line or the row that is wrong */
export function parseDialect(text: string): Dialect {
  return validate(dialectSchema, parseReviewedJson(text));
}

const readFile = fileOf(parseDialect);

/**
 * Reads a dialect: a bundled one by its name, or a file.
 * @throws Error which names the file, and the row that is wrong
 */
export async function readDialect(file: string): Promise<Dialect> {
  const bundled: Readonly<Record<string, Dialect>> = bundledDialects;
  const named = Object.hasOwn(bundled, file) ? bundled[file] : undefined;
  if (named !== undefined) return named;
  if (existsSync(file)) return readFile(file);
  const names = Object.keys(bundled).join(', ');
  throw new Error(`expected a file, or one of ${names}; ${file}: the file does not exist`);
}

/** How deep the entries of a part lie that stand on lines of their own. */
const depths: Readonly<Partial<Record<string, number>>> = {
  refusals: 2,
  orders: 1,
  behaviours: 1,
  routes: 1,
};

/** A dialect as a file with a line for each entry, so that a difference of two files names behaviours. */
export function renderDialect(dialect: Dialect): string {
  const parts = Object.entries(dialect).map(([key, part]) => {
    const indent = '  '.repeat(depths[key] ?? 0);
    // What lies deeper than an entry, and the bracket that closes it, stands on its line.
    const inner = new RegExp(`\\n${indent}(?: +|(?=[}\\]]))`, 'g');
    const lines = JSON.stringify(part, undefined, 2).replace(inner, ' ').split('\n');
    return `  ${JSON.stringify(key)}: ${lines.join('\n  ')}`;
  });
  return `{\n${parts.join(',\n')}\n}\n`;
}
