import { interfaceOperationNames } from '../../../interface/operation-names.ts';
import { isText, type PlainResponse } from '../../messages/response.ts';
import { type Effect, type JsonOperation, type RequestFault, withBody } from './effect.ts';

/** The request is carried out, and its response is not JSON. */
export type MalformedFault = RequestFault<'malformed', JsonOperation>;

export const malformed: Effect<MalformedFault> = {
  summary: 'The request is carried out, and its response is not JSON.',
  sentence: (_, target) => `Spoil the JSON of ${target}`,
  operations: withBody(interfaceOperationNames),
  fields: {},
  needsBody: true,
  respond: async (_, { carryOut }) => spoilJson(await carryOut()),
};

/** Cuts JSON in the middle and appends what can end no JSON. */
export function spoilJson(whole: PlainResponse): PlainResponse {
  if (!isText(whole.body)) return whole;
  const text = whole.body.join('');
  return { ...whole, body: [text.slice(0, Math.ceil(text.length / 2)), ',}'] };
}
