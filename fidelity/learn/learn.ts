import { behaviourIds } from '../../interface/dialect/behaviours.ts';
import type { Dialect } from '../../interface/dialect/dialect.ts';
import { endpointNames } from '../../interface/dialect/errors.ts';
import { inParallel } from '../../target/requests/scheduling.ts';
import { behavioursIn } from './behaviours/probe-behaviours.ts';
import { cellCount, cellsIn } from './cells/probe-cells.ts';
import { combinationProbes } from './cells/probe-combinations.ts';
import { endpointOrders, noteKeys } from './cells/probe-orders.ts';
import { absentOf, requestedRoutes } from './probe-routes.ts';
import { type LearnOptions, type ProbeReport, probeTarget } from './probe-target.ts';
import { severalSessions } from './probing/probed-sessions.ts';
import { severalStreams } from './probing/probed-streams.ts';
import {
  createProber,
  knownCells,
  type NamedProbe,
  type Observations,
  type ProbeOptions,
} from './probing/prober.ts';
import { toDialect } from './write-dialect.ts';

/** What was learned about a service. */
export interface Learned extends Omit<ProbeReport<unknown>, 'result'> {
  readonly dialect: Dialect;
  readonly observed: Observations;
  /** The requested routes that the service answers like any unknown path. */
  readonly absentRoutes: readonly string[];
}

/**
 * Learns how a service handles what the interface leaves open. It resolves whatever the service does.
 * @throws TypeError, in one sentence, for invalid options
 */
export async function learn(options: LearnOptions): Promise<Learned> {
  const { result: observed = new Map(), ...failures } = await probeTarget(options, (probing) =>
    observe(probing, options),
  );
  const absentRoutes = absentOf(options, observed);
  return { dialect: toDialect(observed), observed, absentRoutes, ...failures };
}

/** How many probes run in parallel; each sends one request after the other. */
const probesAtOnce = 4;

/** Asks a service for everything. */
export async function observe(probing: ProbeOptions, { onProgress, ...options }: LearnOptions) {
  const prober = createProber(probing);
  const { observed } = prober;
  const routes = requestedRoutes(options);
  const total =
    cellCount +
    behaviourIds.length +
    combinationProbes.length +
    endpointNames.length +
    1 +
    routes.length;
  const observeAll = (...probes: readonly NamedProbe[]): Promise<unknown> =>
    inParallel(probes, probesAtOnce, async (probe) => {
      await prober.observe(probe);
      const [, family = ''] = probe.name.split('.');
      onProgress?.(observed.size, total, family);
    });
  try {
    // How long to wait elsewhere follows from the delays that are seen here.
    await observeAll(...behavioursIn('timed'));
    for (const round of ['operations', 'fields', 'profiles'] as const) {
      await observeAll(...cellsIn(round, observed));
    }
    await observeAll(...behavioursIn('others'), ...cellsIn('others', observed));
    await observeAll(...combinationProbes, ...cellsIn('limits', observed));
    await prober.prepare(severalSessions);
    if (!probing.connection.readOnly) await prober.prepare(severalStreams);
    // Lists do not change while they are only read.
    await observeAll(...cellsIn('parameters', observed));
    await observeAll(...behavioursIn('lists'), ...cellsIn('queries', observed));
    await observeAll(...cellsIn('sessions', observed));
    await observeAll(...cellsIn('children', observed));
    await observeAll(...cellsIn('depth', observed));
    await observeAll(...endpointOrders(knownCells(observed)));
    for (const route of routes) await observeAll(route);
    noteKeys(observed);
    return observed;
  } finally {
    await prober.end();
  }
}
