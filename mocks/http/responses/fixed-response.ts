import type { Json } from '../../../interface/json.ts';
import { jsonResponse, type PlainResponse, plainResponse } from '../../messages/response.ts';

/** What a dialect says of a response that is always the same. */
interface FixedResponse {
  readonly status: number;
  /** The content type of its body. */
  readonly type?: string;
  readonly json?: Json;
  readonly text?: string;
}

/** The statuses of responses that never have a body: those that a service writes with one arrive without it. */
const statusesWithoutBody: readonly number[] = [204, 205, 304];

/** The response that a dialect fixes, of a change or of a static route. */
export function fixedResponse({ status, type, json, text }: FixedResponse): PlainResponse {
  if (statusesWithoutBody.includes(status)) return plainResponse(status, null);
  const headers = type === undefined ? {} : { 'content-type': type };
  if (json !== undefined) return jsonResponse(status, json, headers);
  return plainResponse(status, text === undefined ? null : [text], headers);
}
