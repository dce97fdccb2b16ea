import { effectTargets } from './effects.ts';
import type { Fault, FaultReport } from './fault.ts';

/** A fault in a few words: `fault 1 (status 503 on createStream)`. */
export function describeFault({ id, fault }: Pick<FaultReport, 'id' | 'fault'>): string {
  return `fault ${id} (${describeEffect(fault)} on ${describeScope(fault)})`;
}

/** What a fault that has met nothing was waiting for, in one sentence. */
export function describeUnmatched(report: FaultReport): string {
  return `${describeFault(report)} never met a ${isOfRecordings(report.fault) ? 'recording' : 'request'}`;
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
