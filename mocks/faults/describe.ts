import { effectTargets } from './effects.ts';
import type { Delay, Fault, FaultReport } from './fault.ts';

/** A fault in a few words: `status 503 on createStream, times 2`. */
export function describeFault(fault: Fault): string {
  return [`${describeEffect(fault)} on ${describeScope(fault)}`, ...describeRest(fault)].join(', ');
}

/** What a fault that has met nothing was waiting for, in one sentence. */
export function describeUnmatched({ id, fault }: FaultReport): string {
  return `fault ${id} (${describeFault(fault)}) never met a ${isOfRecordings(fault) ? 'recording' : 'request'}`;
}

function describeEffect(fault: Fault): string {
  if (fault.effect === 'status') return `status ${fault.status}`;
  if (fault.effect === 'segment-missing' && fault.segment !== undefined) {
    return `segment-missing ${fault.segment}`;
  }
  return fault.effect;
}

function describeScope(fault: Fault): string {
  const { operation, id } = fault;
  const whatever = isOfRecordings(fault) ? 'any recording' : 'any request';
  return `${operation ?? whatever}${id === undefined ? '' : ` of ${id}`}`;
}

function isOfRecordings({ effect }: Fault): boolean {
  return effectTargets[effect].length === 0;
}

/** What the effect and the scope have not told yet. */
const toldKeys = new Set(['effect', 'status', 'segment', 'operation', 'id', 'delay']);

function describeRest(fault: Fault): string[] {
  const rest = Object.entries(fault).filter(([name]) => !toldKeys.has(name));
  return [
    ...(fault.delay === undefined ? [] : [`after ${describeDelay(fault.delay)}`]),
    ...rest.map(([name, value]) => `${name} ${describeValue(value)}`),
  ];
}

function describeValue(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function describeDelay(delay: Delay): string {
  if (typeof delay === 'object') {
    return `${describeDelay(delay.from)} to ${describeDelay(delay.to)}`;
  }
  return typeof delay === 'number' ? `${delay}ms` : delay;
}
