import { createMock } from '../../mock.ts';
import type { MockOptions } from '../../mock-options.ts';
import { collections } from './data.ts';

/** The collections and the handle of a world, and `ask`, which returns the JSON of a GET response. */
export async function arrange(options: MockOptions = {}) {
  const mock = createMock(options);
  const world = await mock.world();
  const headers = { authorization: `Bearer ${mock.apiKey}` };
  const ask = async (path: string): Promise<unknown> =>
    (await mock.fetch(new Request(`http://127.0.0.1:4100/api${path}`, { headers }))).json();
  return { world, ask, ...(await collections(world)) };
}

/** Arranges three streams, a, b and c, of which b is recorded. */
export async function arrangeThree() {
  const arranged = await arrange();
  await arranged.streams.createMany(3, (index) => ({
    name: 'abc'.charAt(index),
    record: index === 1,
  }));
  return arranged;
}

export function namesOf(rows: readonly { readonly name: string }[]): string {
  return rows.map(({ name }) => name).join('');
}
