import { bundledDialects } from '../interface/bundled-dialects.ts';
import { type Dialect, dialectSchema } from '../interface/dialect.ts';
import { parseJson } from '../mocks/problems/parse-json.ts';
import { validate } from '../mocks/problems/validate.ts';
import { ArgumentError } from './arguments.ts';
import { readText } from './report-files.ts';

/**
 * Reads a dialect for an option: a bundled one by its name, or a file.
 * @throws ArgumentError which names the file, and the row that is wrong.
 */
export async function readDialect(option: string, file: string): Promise<Dialect> {
  const bundled: Readonly<Record<string, Dialect>> = bundledDialects;
  const named = Object.hasOwn(bundled, file) ? bundled[file] : undefined;
  if (named !== undefined) return named;
  try {
    return validate(dialectSchema, parseJson(await readText(file), 'the file'));
  } catch (error) {
    // The value that is validated as a whole is called a body.
    const reason = (error as Error).message.replace(/^body: /, '');
    throw new ArgumentError(`option ${option}: ${file}: ${reason}`);
  }
}

/** A dialect as a file with a line for each row, so that a difference of two files names behaviours. */
export function renderDialect(dialect: Dialect): string {
  const members = Object.entries(dialect).map(([key, value]) => {
    const text = typeof value === 'object' ? renderRows(value) : JSON.stringify(value);
    return `  ${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${members.join(',\n')}\n}\n`;
}

function renderRows(rows: object): string {
  const lines = Object.entries(rows).map(
    ([id, value]) => `    ${JSON.stringify(id)}: ${JSON.stringify(value)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
}
