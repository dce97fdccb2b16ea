import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { parseJson } from '../../../conformance/target/parse-json.ts';
import { isObject } from '../../json.ts';

/** What a response shows: its records, and the key of the object around them, if there is one. */
export interface Shown {
  readonly records: readonly JsonObject[];
  readonly isList: boolean;
  readonly wrapper: string | null;
}

/**
 * The records in a response of success: an array, one record, or either at the one key that holds it.
 * `undefined` for anything else, such as a web page.
 */
export function recordsIn(response: TargetResponse): Shown | undefined {
  if (!isSuccess(response) || !/^\s*[[{]/.test(response.text)) return undefined;
  const body = parse(response.text);
  if (Array.isArray(body)) return { records: body.filter(isObject), isList: true, wrapper: null };
  if (!isObject(body)) return undefined;
  if ('id' in body) return { records: [body], isList: false, wrapper: null };
  for (const [wrapper, value] of Object.entries(body)) {
    if (Array.isArray(value)) return { records: value.filter(isObject), isList: true, wrapper };
    if (isObject(value) && 'id' in value) return { records: [value], isList: false, wrapper };
  }
  return undefined;
}

/** The one record in a response. */
export function recordIn(response: TargetResponse): JsonObject | undefined {
  const shown = recordsIn(response);
  return shown?.isList === false ? shown.records[0] : undefined;
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
