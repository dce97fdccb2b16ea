/** Something that no row of the table can say. */
export interface Inexpressible {
  /** The differences that it makes. */
  readonly signature?: RegExp;
  /** The requests about which nothing can be said: they are left out. */
  readonly requests?: RegExp;
  readonly reason: string;
}

/** What a dialect cannot say of the service in `fidelity/unlike/`. */
export const inexpressibleOfUnlike: readonly Inexpressible[] = [
  {
    signature: /^\w+ \(.*id: malformed id, .*\) \| |^\w+ \(.*, id: malformed id\) \| /,
    reason:
      'Of several errors, it notices an id that is none before all but the key. The rows of the order have one place for all ids, as most services look them up in one step.',
  },
  {
    signature: /^createStream \((?=.*profiles)(?=.*record: ).*\) \| (?:status|refusal)/,
    reason:
      'Where record and profiles are both wrong, it reports record. The order of the rows is one of steps, not of fields.',
  },
  {
    signature: /sourceSegmentsDuration \| shorter ≠ longer/,
    reason:
      'A session that was live for some milliseconds has that length. In the mock it has at least one segment, as players refuse a playlist without any.',
  },
  {
    signature: /^retrieveStream \(.*if-none-match\) \| status \| 200 ≠ 304/,
    reason:
      'A switch to the value that a stream has already changes one of its further keys, and so its ETag. A dialect has only the type of a further key.',
  },
];

/** What a dialect cannot say of the implementation in the suite's tests. */
export const inexpressibleOfSecond: readonly Inexpressible[] = [
  {
    requests:
      /^(?:unknownRoute|listStreams|listSessions|retrieve\w+)\b|path: upper-case|^(?:setRecord|terminateStream), .*method: GET/,
    reason:
      'A web application answers every GET of another path with its page and status 200. A row says how a path is refused, and that is no refusal.',
  },
  {
    signature: /^terminateStream \(.*method: \w+\) \| status \| 405 ≠ 404/,
    reason:
      'Another method on the path of terminateStream is refused with 405, and on other paths with 404. The row has one status.',
  },
  {
    signature: /^createStream \| \$further/,
    reason: 'The name of a further key begins with $, which no dialect takes over.',
  },
  {
    signature: /^createStream \(profiles, profiles\[\]\.\w+: negative\) \| status \| 201/,
    reason: 'It takes numbers below 0 in a profile, of which no mock can make media.',
  },
  {
    signature:
      /^listSessionsOfStream(?: \(.*\))? \| \[\]\.recordingStatus \| "processing" ≠ "none"/,
    reason:
      'A session has the status none while it is live, and processing from its end until it is ready. The row has one status for both.',
  },
  {
    signature:
      /^listSessionsOfStream(?: \(.*\))? \| \[\]\.sourceSegmentsDuration \| absent ≠ number/,
    reason: 'A session has a duration only once its recording is ready.',
  },
  {
    signature:
      /^listSessionsOfStream \(next page.*\) \| (?:items \| fewer ≠ more|next page \| not ≠ link)/,
    reason:
      'The link to the next page asks for recorded sessions, whatever the list was asked for.',
  },
  {
    signature: /^listSessionsOfStream(?: \(.*\))? \| header link \| up ≠ absent/,
    reason: 'Its pages have a link upwards too. A dialect says only how the next page is told.',
  },
];
