import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { blocksIn, type CodeBlock } from './code-blocks.ts';
import type { Serving } from './command-line.test-support.ts';
import { temporaryFolder } from './temporary.test-support.ts';

const root = new URL('../', import.meta.url);

/** A page that users read. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** A fenced block of a page. */
export interface Block extends CodeBlock {
  readonly page: string;
}

/** README.md and all pages in docs/. */
export function pages(): Page[] {
  const docs = readdirSync(new URL('docs/', root)).filter((name) => name.endsWith('.md'));
  return ['README.md', ...docs.map((name) => `docs/${name}`)].map((path) => ({
    path,
    text: readFileSync(new URL(path, root), 'utf8'),
  }));
}

/** Every fenced block of a page, in any language. */
export function blocksOf({ path, text }: Page): Block[] {
  return blocksIn(text).map((block) => ({ ...block, page: path }));
}

/** The lines that a script promises to print, each in a comment after its command. */
export function promised(script: string): string[] {
  return [...script.matchAll(/\S # (.+)$/gm)].map(([, line = '']) => line);
}

/** Runs a script from a page in an empty folder, with a server's addresses in place of those on the page. */
export function runScript(script: string, server: Serving): Promise<{ stdout: string }> {
  const here = script
    .replaceAll('http://127.0.0.1:4100/api', server.baseUrl)
    .replaceAll('http://127.0.0.1:4100/_mock', server.controlUrl)
    .replaceAll('rtmp://127.0.0.1:1935/live', server.rtmp ?? '')
    .replace(/http:\/\/127\.0\.0\.1:4100\b/g, new URL(server.baseUrl).origin);
  const cwd = temporaryFolder();
  return promisify(execFile)('bash', ['-euc', here], { cwd });
}
