import type { BenchRun } from './bench-run.ts';
import { bare, handWritten, ours } from './contestants.ts';
import type { Findings } from './findings.ts';
import { loadRequests } from './load.ts';
import { measureRates, type Rates } from './rates.ts';
import { figureText, type Target } from './targets.ts';
import type { OperationName } from './work.ts';

const leastOfBare = { list: 0.75, retrieve: 0.75, record: 0.75, create: 0.4 } as const;
const leastOfPeers = 5;
const operations = ['list', 'retrieve', 'record', 'create'] as const;

const sameWork =
  'node:http, Mockoon and the middleware send bytes that livestream-mock has answered; by hand, node:http reads the key, finds the record in a map and writes it as JSON; json-server keeps the same records in its own form; Prism makes answers from the OpenAPI document.';

const whatIsAsked =
  'list is of the three recorded sessions of a stream, retrieve and record are of that stream.';

/** How many requests a second, beside node:http and the others. */
export async function measureThroughput(run: BenchRun): Promise<Findings> {
  const contestants = [ours, bare, handWritten, ...run.peers];
  const rates = await measureRates(run, contestants, operations, loadRequests);
  const row = (name: string, figure: (operation: OperationName) => number | undefined) => [
    name,
    ...operations.map((operation) => {
      const value = figure(operation);
      return value === undefined ? '–' : figureText(value);
    }),
  ];
  return {
    title: 'Requests a second',
    tables: [
      {
        head: ['32 connections', ...operations],
        rows: contestants.map((contestant) =>
          row(contestant.name, (operation) => rates.of(contestant, operation)),
        ),
      },
      {
        head: ['livestream-mock as a multiple of', ...operations],
        rows: contestants
          .slice(1)
          .map((other) =>
            row(other.name, (operation) =>
              quotient(rates.of(ours, operation), rates.of(other, operation)),
            ),
          ),
      },
    ],
    targets: operations.flatMap((operation) => judge(operation, rates, run)),
    notes: [whatIsAsked, sameWork, ...rates.failures],
  };
}

function judge(operation: (typeof operations)[number], rates: Rates, run: BenchRun): Target[] {
  const own = rates.of(ours, operation);
  const fastest = Math.max(...run.peers.map((peer) => rates.of(peer, operation) ?? 0));
  const ofBare = quotient(own, rates.of(bare, operation));
  const ofPeers = fastest > 0 ? quotient(own, fastest) : undefined;
  return [
    target(`${operation}, beside node:http`, ofBare, leastOfBare[operation]),
    target(`${operation}, beside the fastest peer`, ofPeers, leastOfPeers),
  ].flat();
}

function target(title: string, figure: number | undefined, atLeast: number): Target[] {
  return figure === undefined ? [] : [{ title, figure, bound: { atLeast }, unit: '×' }];
}

function quotient(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left / right;
}
