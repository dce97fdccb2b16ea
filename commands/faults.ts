import type { Fault, FaultReport } from '../mocks/faults/fault.ts';
import { faultSchema } from '../mocks/faults/schema.ts';
import { describeJsonFault } from '../mocks/http/json-fault.ts';
import type { Mock } from '../mocks/mock.ts';
import { validate } from '../mocks/validate.ts';
import { ArgumentError } from './arguments.ts';

/** Reads a fault as `POST /_mock/faults` takes it. @throws ArgumentError */
export function readFault(text: string): Fault {
  try {
    return validate(faultSchema, JSON.parse(text));
  } catch (error) {
    const { message } = error as Error;
    const what =
      error instanceof SyntaxError ? `expected JSON, got ${describeJsonFault(text)}` : message;
    throw new ArgumentError(`option --fault: ${what}`);
  }
}

/** The faults that have met nothing in any world that was opened: perhaps they were meant to. */
export async function unmetFaults(mock: Mock): Promise<string[]> {
  const worlds = await mock.worlds();
  const reports = worlds.flatMap(({ faults }) => faults);
  const met = new Set(reports.filter(({ matched }) => matched > 0).map(nameOf));
  return [...new Set(reports.map(nameOf))].filter((name) => !met.has(name));
}

function nameOf({ fault }: FaultReport): string {
  return JSON.stringify(fault);
}
