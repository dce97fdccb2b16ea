import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { compiler, writeApp } from './compile.test-support.ts';

/** A message of the language server protocol. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly unknown[] };
  readonly result?: { readonly items: readonly { readonly label: string }[] };
}

/** What an editor offers in an app at the place of `|`. */
export async function completionsOf(source: string): Promise<string[]> {
  const [before = '', after = ''] = source.split('|');
  const uri = pathToFileURL(`${writeApp(before + after)}/app.ts`).href;
  const server = spawn(compiler, ['--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const lines = before.split('\n');
  const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  const document = { uri, languageId: 'typescript', version: 1, text: before + after };
  send({
    id: 1,
    method: 'initialize',
    params: { processId: null, rootUri: null, capabilities: {} },
  });
  let offered: string[] = [];
  for await (const { id, method, params, result } of messagesOf(server.stdout)) {
    if (method !== undefined) {
      // What the server asks, such as for settings, is left to its defaults.
      if (id !== undefined) send({ id, result: params?.items?.map(() => null) ?? null });
    } else if (id === 1) {
      send({ method: 'initialized', params: {} });
      send({ method: 'textDocument/didOpen', params: { textDocument: document } });
      const params = { textDocument: { uri }, position };
      send({ id: 2, method: 'textDocument/completion', params });
    } else if (id === 2) {
      offered = result?.items.map(({ label }) => label) ?? [];
      send({ id: 3, method: 'shutdown' });
    } else {
      // The server runs in a child of this process, which a signal would not reach.
      send({ method: 'exit' });
    }
  }
  return offered;
}

/** The messages in the output of a language server: a header with a length, an empty line, and JSON. */
async function* messagesOf(output: Readable): AsyncGenerator<Message> {
  let unread = Buffer.alloc(0);
  for await (const chunk of output) {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      const end = unread.indexOf('\r\n\r\n');
      if (end === -1) break;
      const [, length] = /content-length: (\d+)/i.exec(unread.toString('latin1', 0, end)) ?? [];
      const start = end + 4;
      const next = start + Number(length);
      if (unread.length < next) break;
      yield JSON.parse(unread.toString('utf8', start, next));
      unread = unread.subarray(next);
    }
  }
}
