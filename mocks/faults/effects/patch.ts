import { interfaceOperationNames } from '../../../interface/operation-names.ts';
import type { PlainResponse } from '../../messages/response.ts';
import { openBody } from './body.ts';
import { type Effect, type JsonOperation, type RequestFault, withBody } from './effect.ts';

/** The request is carried out, and fields of the record, or of each record of a list, have other values. */
export interface PatchFault extends RequestFault<'patch', JsonOperation> {
  fields: Record<string, unknown>;
}

export const patch: Effect<PatchFault> = {
  summary: 'The request is carried out, and fields of its response are replaced.',
  sentence: ({ fields }, target) => `Change the response to ${target} to ${JSON.stringify(fields)}`,
  operations: withBody(interfaceOperationNames),
  fields: {
    fields: {
      label: 'Fields (a JSON object)',
      kind: 'object',
      required: true,
      initial: '{ "recordingStatus": "failed" }',
      describesEffect: true,
    },
  },
  needsBody: true,
  respond: async ({ fields }, { carryOut }) => patchRecords(await carryOut(true), fields),
};

/** Refusals stay as they are: they have no records. */
async function patchRecords(
  response: PlainResponse,
  fields: PatchFault['fields'],
): Promise<PlainResponse> {
  if (response.status < 200 || response.status > 299) return response;
  const body: unknown = JSON.parse(await readText(response));
  const patched = Array.isArray(body)
    ? body.map((record) => ({ ...record, ...fields }))
    : { ...(body as object), ...fields };
  // The tag was that of the real body.
  const { etag: _, ...headers } = response.headers;
  return { ...response, headers, body: [JSON.stringify(patched)] };
}

async function readText(response: PlainResponse): Promise<string> {
  const { read } = openBody(response);
  const decoder = new TextDecoder();
  let text = '';
  for (let piece = await read(); piece !== undefined; piece = await read()) {
    text += decoder.decode(piece, { stream: true });
  }
  return text;
}
