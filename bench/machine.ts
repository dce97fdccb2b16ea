import { cpus, totalmem } from 'node:os';

/** The machine and the day: figures mean nothing without them. */
export interface Machine {
  readonly date: string;
  readonly node: string;
  readonly processor: string;
  readonly processors: number;
  /** Gigabytes. */
  readonly memory: number;
}

/** The machine that this runs on. */
export function thisMachine(): Machine {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    processor: processors[0]?.model.trim() ?? 'unknown processor',
    processors: processors.length,
    memory: Math.round(totalmem() / 1e9),
  };
}

/** The machine in a line. */
export function describeMachine(machine: Machine): string {
  const { date, node, processor, processors, memory } = machine;
  return `${date}, Node ${node}, ${processors} × ${processor}, ${memory} GB`;
}
