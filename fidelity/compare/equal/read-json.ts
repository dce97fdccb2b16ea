import type { TargetResponse } from '../../../conformance/target/exchange.ts';

/** The JSON of a response; `undefined` for a body that is none. */
export function readJson(response: TargetResponse): unknown {
  if (response.bytes.length === 0) return undefined;
  try {
    return response.json;
  } catch {
    return undefined;
  }
}
