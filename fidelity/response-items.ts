import { isObject } from '../interface/json.ts';
import { jsonOf } from '../target/requests/bounded-json.ts';
import type { TargetResponse } from '../target/requests/exchange.ts';
import { isSuccess, type JsonObject } from '../target/requests/read-response.ts';

/**
 * The items in a successful response: an array or one item, either of them perhaps under a key.
 * `undefined` for anything else, such as a web page.
 */
export function itemsIn(response: TargetResponse) {
  const body = isSuccess(response) ? jsonOf(response) : undefined;
  const unwrapped = readItems(body, null);
  if (unwrapped !== undefined || !isObject(body)) return unwrapped;
  const candidates = Object.entries(body).map(([key, value]) => readItems(value, key));
  return candidates.find((items) => items !== undefined);
}

/** Items, whether they are a list, and the key of the object around them, if any. */
function readItems(value: unknown, wrapper: string | null) {
  if (Array.isArray(value)) return { items: value.filter(isObject), isList: true, wrapper };
  if (!isObject(value) || !('id' in value)) return undefined;
  return { items: [value], isList: false, wrapper };
}

/** The item in a response that has one item and no list. */
export function itemIn(response: TargetResponse): JsonObject | undefined {
  const content = itemsIn(response);
  return content?.isList === false ? content.items[0] : undefined;
}
