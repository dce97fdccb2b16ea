/** One clause of the interface. */
export interface Clause {
  readonly title: string;
  /** What the clause says, in our own words. */
  readonly text: string;
  /** Its numbered rules, the first is rule 1. */
  readonly rules?: readonly string[];
}

/** The interface by clause; `docs/interface.md` has the same clauses with their tables. */
export const clauses: Readonly<Record<string, Clause>> = {
  '1': {
    title: 'The service',
    text: 'The service manages live streams by JSON over HTTP. A session takes its rendition profiles and its record value from its parent stream when it begins. A stream without profiles is not transcoded: its playback has the source rendition alone.',
  },
  '2.1': {
    title: 'Stream object',
    text: 'A client has to send a name and may send profiles. The service adds id, createdAt in milliseconds since 1970, streamKey as four groups of four characters joined by hyphens, and playbackId. Whether sessions of the stream are recorded is the boolean record.',
  },
  '2.2': {
    title: 'Profile object',
    text: 'A profile describes one rendition by name, bitrate in bits per second, fps, width and height. Recommended are 720p (1280x720, 2000000), 480p (854x480, 1000000) and 360p (640x360, 500000), all at 30 fps.',
  },
  '2.3': {
    title: 'Session object',
    text: 'A session is one broadcast of the stream that its parentId names, and is read-only, its inherited record value too. A recorded session that is available has the recordingStatus ready, an HLS playlist at recordingUrl and an MP4 file of the source rendition at mp4URL. sourceSegmentsDuration is the duration of its source segments.',
  },
  '3': {
    title: 'States of a recording',
    text: 'The recordingStatus ready means that the recording is available, and that recordingUrl and mp4URL are present. Only the operation in 4.2 changes the record value of a stream. No other state and no transition is specified.',
  },
  '4': {
    title: 'Operations',
    text: 'The body of a request is JSON, and every request has the headers of clause 5.',
  },
  '4.1': {
    title: 'Create a stream',
    text: 'POST /stream takes a JSON object with a name and, if the client wants transcoding, profiles. It answers 201 with the created stream, which has the name and the profiles that were sent, and id, createdAt, streamKey and playbackId. Later sessions inherit its configuration.',
  },
  '4.2': {
    title: 'Turn recording on or off',
    text: 'PATCH /stream/{id}/record takes a JSON object with the boolean record and sets it on the parent stream. It answers 204 without a body once the value is set.',
    rules: [
      'Only a parent stream can be changed.',
      'The record value of a session cannot be changed.',
      'An older stream object with a parentId is a session too, so its record value cannot be changed either.',
      'Sessions that begin later inherit the new value.',
      'Sessions that exist already are read-only and stay as they are.',
    ],
  },
  '4.3': {
    title: 'List recorded sessions of a stream',
    text: 'GET /stream/{parentId}/sessions?record=1 answers 200 with a JSON array of sessions. The array holds the recorded sessions whose parentId is the one in the path.',
  },
  '4.4': {
    title: 'Other operations',
    text: 'A stream or a session can be retrieved, and streams and sessions can be listed. Paths, parameters and payloads are not specified.',
  },
  '5': {
    title: 'Authentication',
    text: 'Every request carries an API key in the header "authorization: Bearer <API_KEY>". A request with a body has the header "content-type: application/json" as well. How keys are issued, scoped or revoked is not specified.',
  },
  '6': { title: 'Events', text: 'Events are not specified.' },
  '7': {
    title: 'Errors',
    text: 'The conditions under which a request is refused, and the status and body of the refusal, are not specified.',
  },
  '8': { title: 'Limits', text: 'Rate limits, size limits and page sizes are not specified.' },
  '9': { title: 'Versioning', text: 'Versioning is not specified.' },
};
