import { createMock } from '../../mock.ts';
import type { MockOptions } from '../../mock-options.ts';
import type { World } from '../../service/world-handle.ts';
import type { Store } from '../../stores/store.ts';
import { type Collections, collections } from './collections.ts';

/** A world as collections, its handle, and requests to its mock. */
export interface Arranged extends Collections {
  readonly world: World;
  send(method: string, path: string, body?: object): Promise<Response>;
  /** The JSON that a path answers. */
  ask(path: string): Promise<unknown>;
}

export async function arrange(options: MockOptions = {}): Promise<Arranged> {
  const mock = createMock(options);
  const world = await mock.world();
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    mock.fetch(
      new Request(`http://127.0.0.1:4100/api${path}`, {
        method,
        headers: { authorization: 'Bearer test-demo', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const ask = async (path: string): Promise<unknown> => (await send('GET', path)).json();
  return { world, send, ask, ...(await collections(world)) };
}

/** Three streams, a, b and c, of which b is recorded. */
export async function arrangeThree(): Promise<Arranged> {
  const arranged = await arrange();
  await arranged.streams.createMany(3, (index) => ({
    name: 'abc'.charAt(index),
    record: index === 1,
  }));
  return arranged;
}

export function namesOf(rows: readonly { readonly name: string }[]): string[] {
  return rows.map(({ name }) => name);
}

/** A store that between `hold` and `release` says of nothing that it is kept. */
export function holdingStore(): { store: Store; hold(): void; release(): void } {
  let kept = Promise.resolve();
  let release = (): void => {};
  return {
    store: { open: async () => [], append: () => kept, names: async () => [] },
    hold() {
      kept = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
  };
}
