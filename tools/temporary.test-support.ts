import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** An empty folder that is removed when the test ends, or after all tests of the file if none is running. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'livestream-mock-test-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (TestRunner.getCurrentTest() === undefined) afterAll(remove);
  else onTestFinished(remove);
  return folder;
}

/** The path of a file in its own folder, for one test. Content that is given is written, as JSON unless it is text. */
export function temporaryFile(name: string, content?: object | string): string {
  const file = join(temporaryFolder(), name);
  if (content !== undefined) {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return file;
}
