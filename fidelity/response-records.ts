import { isObject } from '../interface/json.ts';
import { jsonOf } from '../target/requests/bounded-json.ts';
import type { TargetResponse } from '../target/requests/exchange.ts';
import { isSuccess, type JsonObject } from '../target/requests/read-response.ts';

/**
 * The records in a successful response: an array or one record, either of them perhaps under a key.
 * `undefined` for anything else, such as a web page.
 */
export function recordsIn(response: TargetResponse) {
  const body = isSuccess(response) ? jsonOf(response) : undefined;
  const unwrapped = readRecords(body, null);
  if (unwrapped !== undefined || !isObject(body)) return unwrapped;
  const candidates = Object.entries(body).map(([key, value]) => readRecords(value, key));
  return candidates.find((records) => records !== undefined);
}

/** Records, whether they are a list, and the key of the object around them, if any. */
function readRecords(value: unknown, wrapper: string | null) {
  if (Array.isArray(value)) return { records: value.filter(isObject), isList: true, wrapper };
  if (!isObject(value) || !('id' in value)) return undefined;
  return { records: [value], isList: false, wrapper };
}

/** The record in a response that has one record and no list. */
export function recordIn(response: TargetResponse): JsonObject | undefined {
  const content = recordsIn(response);
  return content?.isList === false ? content.records[0] : undefined;
}
