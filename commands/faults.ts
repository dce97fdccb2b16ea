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

/** One line for each unused fault. Initial faults count over all worlds, later ones in their own world. */
export async function unusedFaults(mock: Mock): Promise<string[]> {
  const initial = mock.faults();
  const known = new Set(initial.map(({ id }) => id));
  const worlds = await mock.worlds();
  const added = worlds.flatMap(({ apiKey, faults }) => {
    const where = mock.openKeys ? ` in the world of ${apiKey}` : '';
    return describeUnused(
      faults.filter((report) => !known.has(report.id)),
      where,
    );
  });
  return [...describeUnused(initial, ''), ...added];
}

function describeUnused(reports: readonly FaultReport[], where: string): string[] {
  return reports
    .filter(({ matched }) => matched === 0)
    .map((report) => `unused fault${where}: ${JSON.stringify(report.fault)}`);
}
