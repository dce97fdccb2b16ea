import type { Health } from './control/operations.ts';
import type { RouteName } from './routes.ts';

/** How many requests of one operation got one status, and how long they took together. */
interface Count {
  requests: number;
  seconds: number;
}

/** Counts requests; what is no operation counts as `none`. */
export type RequestCounts = ReturnType<typeof createRequestCounts>;

export function createRequestCounts() {
  const counts = new Map<string, Map<number, Count>>();
  return {
    counts: counts as ReadonlyMap<string, ReadonlyMap<number, Readonly<Count>>>,
    /** Counts a request, and the milliseconds until its response began. */
    add(operation: RouteName | undefined, status: number, milliseconds: number): void {
      const name = operation ?? 'none';
      const byStatus = counts.get(name) ?? new Map<number, Count>();
      if (byStatus.size === 0) counts.set(name, byStatus);
      const count = byStatus.get(status) ?? { requests: 0, seconds: 0 };
      if (count.requests === 0) byStatus.set(status, count);
      count.requests += 1;
      count.seconds += milliseconds / 1000;
    },
  };
}

/** What the metrics are called, after `livestream_mock_`, what they tell, and their value. */
const gauges = {
  up: ['1 while the mock can serve', ({ status }) => Number(status === 'ok')],
  uptime_seconds: ['Seconds since the mock was made', ({ uptime }) => uptime],
  worlds: ['Worlds in memory', ({ worlds }) => worlds.count],
  worlds_max: ['Limit of worlds in memory', ({ worlds }) => worlds.max],
  records: ['Streams and sessions in memory', ({ records }) => records.count],
  records_max: ['Limit of streams and sessions in memory', ({ records }) => records.max],
} as const satisfies Readonly<
  Record<string, readonly [help: string, read: (health: Health) => number]>
>;

/**
 * The health of a mock and its requests as Prometheus reads them
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */
export function writeMetrics(health: Health, { counts }: RequestCounts): string {
  const lines: string[] = [];
  const begin = (name: string, type: string, help: string): void => {
    lines.push(`# HELP livestream_mock_${name} ${help}`, `# TYPE livestream_mock_${name} ${type}`);
  };
  begin('info', 'gauge', 'The version of the mock');
  lines.push(`livestream_mock_info{version="${health.version}"} 1`);
  for (const [name, [help, read]] of Object.entries(gauges)) {
    begin(name, 'gauge', help);
    lines.push(`livestream_mock_${name} ${read(health)}`);
  }
  begin('request_seconds', 'summary', 'Requests, and the time until their responses began');
  for (const [operation, byStatus] of counts) {
    for (const [status, { requests, seconds }] of byStatus) {
      const labels = `{operation="${operation}",status="${status}"}`;
      lines.push(`livestream_mock_request_seconds_count${labels} ${requests}`);
      lines.push(`livestream_mock_request_seconds_sum${labels} ${seconds}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
