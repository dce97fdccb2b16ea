import { fileStore } from '../mocks/stores/file.ts';
import { redisStore } from '../mocks/stores/redis.ts';
import type { Store } from '../mocks/stores/store.ts';
import type { Output, StatusLine } from './process.ts';

/** A store, and how the banner names it. */
export interface OpenedStore extends Store {
  readonly address: string;
  close(): Promise<void>;
}

/** Opens what `--data` or `--store` names; nothing without them. @throws OptionError */
export async function openStore(
  { data, store }: { readonly data: string | undefined; readonly store: string | undefined },
  status: StatusLine,
  stderr: Output,
): Promise<OpenedStore | undefined> {
  try {
    if (store !== undefined) {
      // One that was just started takes a few seconds.
      status.show('waiting for Redis');
      return await redisStore(store);
    }
    if (data === undefined) return undefined;
    status.show(`reading ${data}`);
    const opened = await fileStore(data);
    status.show('');
    if (opened.notice !== undefined) stderr.write(`livestream-mock: ${opened.notice}\n`);
    return { ...opened, address: data };
  } finally {
    status.show('');
  }
}
