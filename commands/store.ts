import { fileStore } from '../mocks/stores/file.ts';
import { redisStore } from '../mocks/stores/redis.ts';
import type { Store } from '../mocks/stores/store.ts';
import { ArgumentError, asArgumentError, type OptionValues } from './arguments.ts';
import type { serveOptions } from './options.ts';
import type { Output } from './process.ts';
import type { StatusLine } from './status-line.ts';

/** A store, and how the banner names it. */
export interface OpenedStore extends Store {
  readonly address: string;
  close(): Promise<void>;
}

/** Opens what `--data` or `--store` names; nothing without them. @throws ArgumentError */
export async function openStore(
  values: OptionValues<typeof serveOptions>,
  status: StatusLine,
  stderr: Output,
): Promise<OpenedStore | undefined> {
  const { data, store } = values;
  if (data !== undefined && store !== undefined) {
    throw new ArgumentError('option --store: expected no --data beside it, got both');
  }
  try {
    if (store !== undefined) return await openRedisStore(store, status);
    if (data !== undefined) return await readFileStore(data, status, stderr);
    return undefined;
  } catch (error) {
    status.end();
    throw asArgumentError(error);
  }
}

async function openRedisStore(url: string, status: StatusLine): Promise<OpenedStore> {
  // One that was just started takes a few seconds.
  status.show('waiting for Redis');
  const store = await redisStore(url);
  status.show('');
  return store;
}

async function readFileStore(
  path: string,
  status: StatusLine,
  stderr: Output,
): Promise<OpenedStore> {
  status.show(`reading ${path}`);
  const store = await fileStore(path);
  status.show('');
  if (store.notice !== undefined) stderr.write(`livestream-mock: ${store.notice}\n`);
  return { ...store, address: path };
}
