import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './user-folder.test-support.ts';

/** Writes a dialect, or another text, to a file that lasts as long as the test; returns its path. */
export function writeDialect(dialect: object | string): string {
  const file = join(temporaryFolder(), 'dialect.json');
  writeFileSync(file, typeof dialect === 'string' ? dialect : JSON.stringify(dialect));
  return file;
}
