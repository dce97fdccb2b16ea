import type { WorldName } from '../../fixtures/worlds.ts';
import { startServer } from '../../mocks/adapters/node/http-server.ts';
import { isControlRequest } from '../../mocks/messages/tester-request.ts';
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

/** How many requests come before the journals are read again, as each keeps only the last 1,000. */
const requestsBetweenReadings = 500;

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
  const journals = readJournals(mock);
  const watched: Mock = {
    ...mock,
    async fetch(request) {
      await journals.beforeRequest(request);
      return mock.fetch(request);
    },
  };
  const { baseUrl, controlUrl, close } = await startServer(watched, { port });
  return {
    baseUrl,
    controlUrl,
    apiKey: mock.apiKey,
    async close() {
      await close();
      await journals.read();
      const { changed } = await mock.evidence();
      return { mock: 'served', changed, exchanges: journals.exchanges };
    },
  };
}

/** Reads the journals of all worlds of a mock, also what a reset is about to empty. */
function readJournals(mock: Mock) {
  const exchanges: MockEvidence['exchanges'][number][] = [];
  const lastNumbers = new Map<string, number>();
  let unread = 0;
  async function read(): Promise<void> {
    unread = 0;
    for (const world of await mock.worlds()) {
      const last = lastNumbers.get(world.apiKey) ?? 0;
      const added = world.requests().filter(({ number }) => number > last);
      exchanges.push(...added);
      lastNumbers.set(world.apiKey, added.at(-1)?.number ?? last);
    }
  }
  return {
    exchanges,
    read,
    async beforeRequest(request: Request): Promise<void> {
      unread += 1;
      const mayEmpty = request.method !== 'GET' && isControlRequest(request);
      if (mayEmpty || unread >= requestsBetweenReadings) await read();
    },
  };
}
