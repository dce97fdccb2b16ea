import { redact } from '../../conformance/run/redact.ts';
import { type Finding, mediaPlaces } from './equal/finding.ts';
import { headerNames } from './equal/headers.ts';

/** A finding without API keys, and short. */
export type WithoutKeys = (finding: Finding) => Finding;

/** Characters that are kept of what is on a side. */
const longest = 300;

/** Replaces API keys in what a finding has from a target, so that one text is compared, printed and stored. */
export function createWithoutKeys(apiKeys: readonly string[]): WithoutKeys {
  const hide = (text: string): string => redact(text, apiKeys);
  // Half a key would not be found, so texts are cut last.
  const shorten = (text: string): string => hide(text).slice(0, longest);
  return ({ where, kinds, ...more }) => ({
    ...more,
    where: isInBody(where) ? hide(where) : where,
    kinds: [shorten(kinds[0]), shorten(kinds[1])],
  });
}

/** Places that are no path in a body. Names in a body come from a target, and may look alike. */
const places = new Set([
  ...['status', 'refusal', 'next page', 'items', 'order of items', 'delay until ready'],
  ...mediaPlaces,
  ...headerNames.map((name) => `header ${name}`),
]);

/** Whether a place is a path in the body, whose names come from a target. */
export function isInBody(where: string): boolean {
  return !places.has(where);
}
