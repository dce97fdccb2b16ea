import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { isObject } from '../../json.ts';
import type { Correspondence } from './correspondence.ts';
import type { Finding } from './finding.ts';
import { compareHeaders } from './headers.ts';
import { compareLists, type ListContext } from './lists.ts';
import { readJson } from './read-json.ts';
import { compareRecords, compareValues } from './records.ts';
import { compareForms, type RefusalTexts } from './refusal-forms.ts';

/** What a comparison of two responses needs to know. */
export interface ResponseContext extends ListContext {
  readonly correspondence: Correspondence;
  readonly refusals: readonly [RefusalTexts, RefusalTexts];
}

type Responses = readonly [TargetResponse, TargetResponse];

/** How two responses to the same request differ, in every respect that clients can notice. */
export function compareResponses(responses: Responses, context: ResponseContext): Finding[] {
  const [one, other] = responses;
  if (one.status !== other.status) {
    return [{ where: 'status', kinds: [String(one.status), String(other.status)] }];
  }
  const bodies =
    one.status >= 400
      ? compareForms(responses, context.refusals)
      : compareBodies(responses, context);
  return [...compareHeaders(responses), ...bodies];
}

function compareBodies([one, other]: Responses, context: ResponseContext): Finding[] {
  const bodies = [readJson(one), readJson(other)] as const;
  const [first, second] = bodies;
  if (Array.isArray(first) && Array.isArray(second)) {
    return compareLists([first, second], context);
  }
  if (isObject(first) && isObject(second)) {
    const [inner, records] = unwrap([first, second]);
    return compareRecords(records, inner, context.correspondence);
  }
  if (first === undefined && second === undefined)
    return compareValues(one.text === '', other.text === '', 'body is empty');
  return compareValues(first, second, 'body');
}

/** The records in two objects that wrap one, with the key; objects with an id are records themselves. */
function unwrap(objects: readonly [JsonObject, JsonObject]): readonly [string, typeof objects] {
  if (objects.some((object) => 'id' in object)) return ['', objects];
  for (const key of ['stream', 'session']) {
    const [first, second] = [objects[0][key], objects[1][key]];
    if (isObject(first) && isObject(second)) return [key, [first, second]];
  }
  return ['', objects];
}
