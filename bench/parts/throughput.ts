import type { BenchRun } from '../measure/run.ts';
import { loadRequests, measureRates } from '../measure/load.ts';
import { atLeast, type Findings, figureText } from '../measure/results.ts';
import { bare, ours } from '../measure/servers.ts';

const leastOfBare = { list: 0.75, retrieve: 0.75, record: 0.75, create: 0.4 } as const;
const leastOfPeers = 5;
const operations = ['list', 'retrieve', 'record', 'create'] as const;

const sameWork =
  'node:http, Mockoon and the middleware send bytes that livestream-mock has sent; json-server keeps the same records in its own form; Prism makes responses from the OpenAPI document.';

const whatIsAsked =
  'list is of the three recorded sessions of a stream, retrieve and record are of that stream.';

/** How many requests a second, beside node:http and the peers. */
export async function measureThroughput(run: BenchRun): Promise<Findings> {
  const servers = [ours, bare, ...run.peers];
  const rates = await measureRates(run, servers, operations, loadRequests);
  return {
    title: 'Requests a second',
    tables: [
      {
        head: ['32 connections', ...operations],
        rows: servers.map((server) => [
          server.name,
          ...operations.map((operation) => {
            const rate = rates.of(server, operation);
            return rate === undefined ? '–' : figureText(rate);
          }),
        ]),
      },
    ],
    targets: operations.flatMap((operation) => {
      const own = rates.of(ours, operation) ?? Number.NaN;
      const limit = rates.of(bare, operation) ?? Number.NaN;
      const fastest = Math.max(...run.peers.map((peer) => rates.of(peer, operation) ?? 0));
      return [
        atLeast(leastOfBare[operation], `${operation}, beside node:http`, own / limit),
        ...(run.peers.length > 0
          ? [atLeast(leastOfPeers, `${operation}, beside the fastest peer`, own / fastest)]
          : []),
      ];
    }),
    notes: [whatIsAsked, sameWork, ...rates.failures],
  };
}
