import type { ChangeResponse } from '../../../interface/dialect/behaviours.ts';
import { jsonResponse, type PlainResponse, plainResponse } from '../../messages/response.ts';

/** The response to a change, if it is always the same. */
export function fixedResponse({ status, json }: Extract<ChangeResponse, object>): PlainResponse {
  return json === undefined ? plainResponse(status, null) : jsonResponse(status, json);
}
