import type { WorldName } from '../../fixtures/worlds.ts';
import { followExchanges } from '../../mocks/adapters/follow-exchanges.ts';
import { startServer } from '../../mocks/adapters/node/http-server.ts';
import type { Exchange } from '../../mocks/journal/exchange.ts';
import { createMock, type Mock, watchDialect } from '../../mocks/mock.ts';
import type { ExportedState } from '../../mocks/service/exported-state.ts';
import type { VariantText } from '../../mocks/variants/families.ts';
import type { MockEvidence } from './run-evidence.ts';
import { dialectOf, type Trial } from './trials.ts';

/** A mock on a port, for one run of an app's tests. */
export interface TestedMock {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly apiKey: string;
  /** Stops it, and resolves to what it saw. */
  close(): Promise<MockEvidence>;
}

/** Where the mock listens, and what it begins with. */
export interface TestedMockOptions {
  readonly world: WorldName | ExportedState;
  /** 0 picks a free port. */
  readonly port: number;
}

/** Serves a mock that behaves like all of these trials. @throws Error of Node's `listen`, with its `code` */
export async function serveTestedMock(
  trials: readonly Trial[],
  { world, port }: TestedMockOptions,
): Promise<TestedMock> {
  const dialect = dialectOf(trials);
  const variants = trials.filter((trial) => trial.dialect === undefined).map(({ name }) => name);
  const mock = createMock({
    world,
    now: Date.now,
    ...(dialect !== undefined && { dialect }),
    ...(variants.length > 0 && { variant: variants.join('+') as VariantText }),
  });
  watchDialect(mock);
  const takeExchanges = followExchanges(mock);
  const exchanges: Exchange[] = [];
  const collect = async (): Promise<void> => {
    for (const taken of await takeExchanges()) exchanges.push(...taken.exchanges);
  };
  const watched: Mock = {
    ...mock,
    async fetch(request) {
      const response = await mock.fetch(request);
      await collect();
      return response;
    },
  };
  const { baseUrl, controlUrl, close } = await startServer(watched, { port });
  return {
    baseUrl,
    controlUrl,
    apiKey: mock.apiKey,
    async close() {
      await close();
      await collect();
      const { changed } = await mock.evidence();
      return { mock: 'served', changed, exchanges };
    },
  };
}
