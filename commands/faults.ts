import type { Fault, FaultReport } from '../mocks/faults/fault.ts';
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
 * The faults that have met nothing, each in a line: of those that the mock began with, in no world at
 * all; of those that were added later and are still there, in the world that they were added to.
 */
export async function unmetFaults(mock: Mock): Promise<string[]> {
  const initial = mock.faults();
  const known = new Set(initial.map(nameOf));
  const worlds = await mock.worlds();
  const added = worlds.flatMap(({ apiKey, faults }) => {
    const where = mock.openKeys ? ` in the world of ${apiKey}` : '';
    return describeUnmet(
      faults.filter((report) => !known.has(nameOf(report))),
      where,
    );
  });
  return [...describeUnmet(initial, ''), ...added];
}

function describeUnmet(reports: readonly FaultReport[], where: string): string[] {
  return reports
    .filter(({ matched }) => matched === 0)
    .map((report) => `fault that met no request${where}: ${nameOf(report)}`);
}

function nameOf({ fault }: FaultReport): string {
  return JSON.stringify(fault);
}
