/** Differences that no row of the table can say, by their signatures. */
export interface Inexpressible {
  readonly signature: RegExp;
  readonly reason: string;
}

/** What a dialect cannot say of the service in `fidelity/unlike/`. */
export const inexpressibleOfUnlike: readonly Inexpressible[] = [
  {
    signature: /^\w+ \(.*(?:: null)\) \| status/,
    reason: 'A field that is null is treated as one that is missing.',
  },
  {
    signature: /^setRecord \(id: live stream.*\) \| status \| 409 ≠ 204/,
    reason: 'While a stream is live, even the value that it has already is refused.',
  },
  {
    signature: /^setRecord \(.*unknownField: \w+\) \| status \| 412/,
    reason: 'A recording switch with a field that nobody knows is refused: no row asks for it.',
  },
  {
    signature: /profiles\[\]\.(?:fpsDen|gop|quality|profile|encoder) \| absent ≠/,
    reason: 'It drops the further fields of profiles that clients know: the mock keeps them.',
  },
  {
    signature: /^createStream \(profiles, profiles\[\]\.\w+: negative.*\) \| refusal/,
    reason: 'Negative numbers are out of range, and are refused otherwise than a wrong type.',
  },
  {
    signature: /^createStream \(profiles, profiles\[\]\.name: other\) \| status \| 412 ≠ 201/,
    reason: 'The name of a profile may not be empty.',
  },
  {
    signature: /^unknownRoute \(method: OPTIONS\) \| status/,
    reason: 'OPTIONS of an unknown path is an unknown path.',
  },
  {
    signature: /^retrieveSession \(id: deleted stream\) \| status/,
    reason: 'The id of a deleted stream is still known to be that of a stream.',
  },
  {
    signature: /^retrieveStream \(if-none-match\) \| status \| 200 ≠ 304/,
    reason: 'A further key tells when a stream was changed last, which changes its ETag.',
  },
  {
    signature: /^list\w+(?: \(.*\))? \| next page \| absent ≠ present/,
    reason: 'A last page that is full does not tell of a next one.',
  },
];

/** What a dialect cannot say of the implementation in the suite's tests. */
export const inexpressibleOfSecond: readonly Inexpressible[] = [
  {
    signature: /^(?:unknownRoute|listStreams|listSessions|retrieveStream|retrieveSession)\b/,
    reason: 'A web application answers every request beside the three operations, with its page.',
  },
  {
    signature: /^createStream \(path: upper-case\) \| status \| 405/,
    reason: 'A path in capital letters is a page of the web application.',
  },
  {
    signature: /^createStream \| \$further/,
    reason: 'The name of a further key begins with $, which no dialect takes over.',
  },
];
