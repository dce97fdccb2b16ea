import type { Fault, FaultReport } from '../mocks/faults/fault.ts';
import { faultSchema } from '../mocks/faults/schema.ts';
import type { Mock } from '../mocks/mock.ts';
import { validate } from '../mocks/validate.ts';
import { ArgumentError } from './arguments.ts';

/** Reads a fault as `POST /_mock/faults` takes it. @throws ArgumentError */
export async function readFault(text: string): Promise<Fault> {
  try {
    return validate(faultSchema, JSON.parse(text));
  } catch (error) {
    throw new ArgumentError(`option --fault: ${await explain(error as Error, text)}`);
  }
}

async function explain(error: Error, text: string): Promise<string> {
  if (!(error instanceof SyntaxError)) return error.message;
  const { describeJsonFault } = await import('../mocks/http/json-fault.ts');
  return `expected JSON, got ${describeJsonFault(text, error)}`;
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
