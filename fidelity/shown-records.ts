import { jsonOf } from '../conformance/target/bounded-json.ts';
import type { TargetResponse } from '../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../conformance/target/read-response.ts';
import { isObject } from '../interface/json.ts';

/**
 * The records in a successful response: an array or one record, either of them perhaps under a key.
 * `undefined` for anything else, such as a web page.
 */
export function shownRecords(response: TargetResponse) {
  const body = isSuccess(response) ? jsonOf(response) : undefined;
  const whole = shownIn(body, null);
  if (whole !== undefined || !isObject(body)) return whole;
  const parts = Object.entries(body).map(([key, value]) => shownIn(value, key));
  return parts.find((part) => part !== undefined);
}

/** Records, whether they are a list, and the key of the object around them, if any. */
function shownIn(value: unknown, wrapper: string | null) {
  if (Array.isArray(value)) return { records: value.filter(isObject), isList: true, wrapper };
  return isObject(value) && 'id' in value
    ? { records: [value], isList: false, wrapper }
    : undefined;
}

/** The one record in a response. */
export function shownRecord(response: TargetResponse): JsonObject | undefined {
  const shown = shownRecords(response);
  return shown?.isList === false ? shown.records[0] : undefined;
}

/** The names that a header lists, such as those of methods. */
export function namesIn(header: string | null): string[] {
  return (header ?? '').split(',').flatMap((name) => name.trim() || []);
}
