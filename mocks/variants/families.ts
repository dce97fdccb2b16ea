/**
 * The family of what makes a whole list take long: many records, small pages, slow responses. Each alone is harmless,
 * but 200 pages at two seconds each are no test of an app.
 */
const timeOfList = 'time of a whole list';

/** What a variant that settles every refusal accepts, or refuses with a status of its own. */
const everyRefusal = [
  'form of refusals',
  'form of booleans',
  'bodies that are no object',
  'limits',
  'switching while live',
  'unknown fields',
] as const;

/**
 * Every variant by its name, the most telling first, with what it is about. Two variants with a family in common
 * contradict each other. This is all that a mock has to know of variants before it loads them.
 */
export const variantFamilies = {
  'oldest-first': ['order of lists'],
  'last-seen-first': ['order of lists'],
  'pages-of-one': ['page size', timeOfList],
  'pages-of-two': ['page size', timeOfList],
  // Others would not be seen: no list shows a recording before it is ready.
  'listed-when-ready': [
    'when sessions are listed',
    'recordings before they are ready',
    'addresses before a recording is ready',
  ],
  'listed-at-the-end': ['when sessions are listed'],
  'listed-seconds-later': ['when sessions are listed'],
  'sessions-among-streams': ['what the list of streams has'],
  'unknown-streams-have-empty-lists': ['sessions of unknown streams'],
  'crowded-account': ['account', timeOfList],
  'recording-takes-30s': ['time until a recording is ready'],
  // Others would hardly be seen: a recording is ready at once.
  'recording-at-once': [
    'time until a recording is ready',
    'recordings before they are ready',
    'addresses before a recording is ready',
  ],
  'processing-first': ['recordings before they are ready'],
  'statusless-first': ['recordings before they are ready'],
  'unheard-of-statuses': ['recordings before they are ready'],
  'addressed-first': ['addresses before a recording is ready'],
  'records-by-default': ['record by default'],
  'live-switch-accepted': ['switching while live'],
  'duration-longer': ['durations'],
  'duration-shorter': ['durations'],
  'duration-whole': ['durations'],
  'keys-more': ['extra keys'],
  'keys-documented-only': ['extra keys', 'mp4 spellings'],
  'keys-reordered': ['key order'],
  'profiles-show-more': ['keys of profiles'],
  'profiles-absent': ['profiles'],
  'record-not-shown': ['record shown'],
  'spelling-mp4URL-alone': ['mp4 spellings'],
  'stream-key-masked': ['stream keys'],
  'clock-ahead': ['times'],
  'clock-in-seconds': ['times'],
  'json-without-charset': ['media type of JSON'],
  'json-of-a-vendor': ['media type of JSON'],
  'created-with-location': ['response to a creation'],
  'stream-ids-in-upper-case': ['stream ids'],
  'stream-ids-of-version-7': ['stream ids'],
  'session-ids-without-uuid': ['session ids'],
  'refusals-in-html': ['form of refusals'],
  'refusals-in-text': ['form of refusals'],
  'refusals-without-body': ['form of refusals'],
  'refusals-as-problem-json': ['form of refusals'],
  'refusals-400': everyRefusal,
  'refusals-403': everyRefusal,
  'refusals-404': everyRefusal,
  'refusals-451': everyRefusal,
  'unknown-fields-dropped': ['unknown fields'],
  'booleans-lenient': ['form of booleans'],
  'bodies-of-no-object-fail': ['bodies that are no object'],
  'limits-narrow': ['limits'],
  'limits-narrowest': ['limits'],
  'too-many-requests-seconds': ['limit of requests'],
  'too-many-requests-date': ['limit of requests'],
  'origin-refused': ['origins'],
  'media-on-another-host': ['host of media'],
  'media-redirected': ['redirects of media'],
  'transport-stream': ['form of segments'],
  'byte-ranges': ['form of segments'],
  'playlist-with-sizes-in-blocks': ['sizes in playlists'],
  'playlist-crlf': ['text of playlists'],
  'playlist-as-text': ['media type of playlists'],
  'playlist-with-one-variant': ['number of renditions'],
  // These come after whatever changes a playlist, as they sign the addresses in it.
  'playlist-addresses-signed': ['signatures of media'],
  'media-addresses-end': ['signatures of media'],
  slow: ['latency', timeOfList],
  'optional-operations-404': ['optional operations'],
  'optional-operations-405': ['optional operations'],
  'optional-operations-501': ['optional operations'],
  'optional-operations-are-pages': ['optional operations'],
  'streams-wrapped-when-retrieved': ['optional operations'],
  'record-filter-required': ['optional operations'],
  'general-patch-ignores-record': ['optional operations', 'form of refusals'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

/** The name of a variant. */
export type VariantName = keyof typeof variantFamilies;

/** The name of a variant, or several joined by `+`. */
export type VariantText = VariantName | `${VariantName}+${string}`;

/** Every name, the most telling first. */
export const variantNames: readonly VariantName[] = Object.keys(variantFamilies) as VariantName[];
