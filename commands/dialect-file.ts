import { existsSync } from 'node:fs';
import { bundledDialects, type Dialect, dialectSchema } from '../interface/dialect.ts';
import { parseJson } from '../mocks/problems/parse-json.ts';
import { validate } from '../mocks/problems/validate.ts';
import { fileOf } from './files.ts';

/** The dialect in the text of a file. @throws Error which names the row that is wrong */
export function parseDialect(text: string): Dialect {
  return validate(dialectSchema, parseJson(text, 'the file'));
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
const depths: Readonly<Partial<Record<keyof Dialect, number>>> = {
  refusals: 2,
  orders: 1,
  behaviours: 1,
  routes: 1,
};

/** A dialect as a file with a line for each entry, so that a difference of two files names behaviours. */
export function renderDialect(dialect: Dialect): string {
  const members = Object.entries(dialect).map(
    ([key, value]) => [key, render(value, depths[key as keyof Dialect] ?? 0, '  ')] as const,
  );
  return `${inBraces(members.map(nameMember), '')}\n`;
}

function render(value: unknown, depth: number, indent: string): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(
    ([key, part]) => [key, render(part, depth - 1, `${indent}  `)] as const,
  );
  if (Array.isArray(value))
    return `[\n${parts.map(([, text]) => `${indent}  ${text}`).join(',\n')}\n${indent}]`;
  return inBraces(parts.map(nameMember), indent);
}

function nameMember([key, text]: readonly [string, string]): string {
  return `${JSON.stringify(key)}: ${text}`;
}

function inBraces(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return '{}';
  return `{\n${lines.map((line) => `${indent}  ${line}`).join(',\n')}\n${indent}}`;
}
