import { describeDelay } from './effects/effect.ts';
import { effectOf, type Fault } from './effects/effects.ts';
import type { FaultReport } from './fault.ts';

/** A fault in a few words: `status 503 on createStream, times 2`. */
export function describeFault(fault: Fault): string {
  const { fields } = effectOf(fault);
  const { effect, operation, id, delay, ...rest } = fault;
  const entries = Object.entries(rest);
  const [leading, others] = [true, false].map((leads) =>
    entries.filter(([name]) => (fields[name]?.describesEffect ?? false) === leads),
  );
  const title = [effect, ...(leading ?? []).map(([, value]) => describeValue(value))].join(' ');
  const scope = `${operation ?? `any ${matchedKind(fault)}`}${id === undefined ? '' : ` of ${id}`}`;
  return [
    `${title} on ${scope}`,
    ...(delay === undefined ? [] : [`after ${describeDelay(delay)}`]),
    ...(others ?? []).map(([name, value]) => `${name} ${describeValue(value)}`),
  ].join(', ');
}

/** A fault as a sentence: `Delay listSessions by 500 ms for the next 2 requests`. */
export function faultSentence(fault: Fault): string {
  const { effect, operation, id, delay, times, probability } = fault;
  const kind = matchedKind(fault);
  const target = `${operation ?? `any ${kind}`}${id === undefined ? '' : ` of ${id}`}`;
  return [
    effectOf(fault).sentence(fault, target),
    ...(times === undefined ? [] : [` for the next ${times === 1 ? kind : `${times} ${kind}s`}`]),
    ...(delay === undefined || effect === 'delay' ? [] : [`, after ${describeDelay(delay)}`]),
    ...(probability === undefined ? [] : [`, with a chance of ${probability * 100} %`]),
  ].join('');
}

/** Says of a fault that it has matched nothing. */
export function describeUnmatched({ id, fault }: FaultReport): string {
  return `fault ${id} (${describeFault(fault)}) matched no ${matchedKind(fault)}`;
}

function matchedKind(fault: Fault): string {
  return effectOf(fault).operations.length === 0 ? 'recording' : 'request';
}

function describeValue(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
