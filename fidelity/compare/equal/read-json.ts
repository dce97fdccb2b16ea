import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { parseJson } from '../../../conformance/target/parse-json.ts';

const read = new WeakMap<TargetResponse, unknown>();

/** The JSON of a response, parsed once; `undefined` for a body that is none. */
export function readJson(response: TargetResponse): unknown {
  if (!read.has(response)) read.set(response, parse(response.text));
  return read.get(response);
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
