import type { Fault } from '../mocks/faults/effects/effects.ts';
import type { FaultReport } from '../mocks/faults/fault.ts';
import { faultSchema } from '../mocks/faults/schema.ts';
import type { Mock } from '../mocks/mock.ts';
import { parseJson } from '../mocks/problems/parse-json.ts';
import { validate } from '../mocks/problems/validate.ts';
import { ArgumentError } from './arguments.ts';

/** Reads a fault as `POST /_mock/faults` takes it. @throws ArgumentError */
export function readFault(text: string): Fault {
  const fault = asArgument(() => parseJson(text, 'option --fault'));
  return asArgument(() => validate(faultSchema, fault), 'option --fault: ');
}

function asArgument<Value>(read: () => Value, prefix = ''): Value {
  try {
    return read();
  } catch (error) {
    throw new ArgumentError(`${prefix}${(error as Error).message}`);
  }
}

/**
 * A line for each fault that has matched nothing: a fault that the mock began with, in any world; one
 * that was added later and is still there, in the world that it was added to.
 */
export async function unmatchedFaults(mock: Mock): Promise<string[]> {
  const initial = mock.faults();
  const known = new Set(initial.map(nameOf));
  const worlds = await mock.worlds();
  const added = worlds.flatMap(({ apiKey, faults }) => {
    const where = mock.openKeys ? ` in the world of ${apiKey}` : '';
    return describeUnmatched(
      faults.filter((report) => !known.has(nameOf(report))),
      where,
    );
  });
  return [...describeUnmatched(initial, ''), ...added];
}

function describeUnmatched(reports: readonly FaultReport[], where: string): string[] {
  return reports
    .filter(({ matched }) => matched === 0)
    .map((report) => `fault that matched no request${where}: ${nameOf(report)}`);
}

function nameOf({ fault }: FaultReport): string {
  return JSON.stringify(fault);
}
