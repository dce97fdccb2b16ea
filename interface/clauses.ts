/** One clause of the interface. */
export interface Clause {
  readonly title: string;
  /** What the clause says, in sentences of our own. */
  readonly text: string;
  /** Its numbered rules; the first is rule 1. */
  readonly rules?: readonly string[];
}

/** The interface by clause; `docs/interface.md` has the same sentences, and tables of the fields. */
export const clauses: Readonly<Record<string, Clause>> = {
  '1': {
    title: 'The service',
    text: 'Sessions inherit the profiles and the record value of their stream. Clients manage live streams with JSON over HTTP. A stream without profiles is not transcoded: its playback has only the source rendition.',
  },
  '2.1': {
    title: 'Stream object',
    text: 'A stream has a name, id, createdAt, streamKey and playbackId. The client must send a name and may send profiles. The service adds the rest: createdAt is in milliseconds since 1970, and streamKey is four groups of four characters joined by hyphens. The boolean record says whether sessions are recorded.',
  },
  '2.2': {
    title: 'Profile object',
    text: 'A profile has a name, bitrate, fps, width and height. It describes one rendition; bitrate is in bits per second. The recommended profiles are 720p (1280x720, 2000000), 480p (854x480, 1000000) and 360p (640x360, 500000), all at 30 fps.',
  },
  '2.3': {
    title: 'Session object',
    text: 'A session is one broadcast of the stream that its parentId names, and is read-only. Its record value is inherited and cannot be changed. A recorded session that is available has the recordingStatus ready, an HLS playlist at recordingUrl and an MP4 file of the source rendition at mp4URL. sourceSegmentsDuration is the duration of its source segments.',
  },
  '3': {
    title: 'States of a recording',
    text: 'A recorded session that is available has the recordingStatus ready. Its recordingUrl and mp4URL are then present. Only the operation in 4.2 changes the record value of a stream. No other states and no transitions are specified.',
  },
  '4': {
    title: 'Operations',
    text: 'Every request has the headers of clause 5, and its body is JSON.',
  },
  '4.1': {
    title: 'Create a stream',
    text: 'POST /stream with a name returns 201 and the created stream. The request may have profiles; without them, nothing is transcoded. The created stream has the name and the profiles that were sent, and id, createdAt, streamKey and playbackId. Later sessions inherit its configuration.',
  },
  '4.2': {
    title: 'Turn recording on or off',
    text: 'PATCH /stream/{id}/record sets record and returns 204 without a body. record is a boolean: true turns recording on, false turns it off. The status 204 means that the value of the parent stream has been set.',
    rules: [
      'Only a parent stream can be changed.',
      'The record value of a session cannot be changed.',
      'An older stream object with a parentId is a session too: its record value cannot be changed.',
      'Sessions that begin later inherit the new value.',
      'Existing sessions are read-only.',
    ],
  },
  '4.3': {
    title: 'List recorded sessions of a stream',
    text: 'GET /stream/{parentId}/sessions?record=1 lists recorded sessions. It returns 200 and a JSON array of session objects. The array holds the recorded sessions whose parentId is the one in the path.',
  },
  '4.4': {
    title: 'Other operations',
    text: 'Streams and sessions can be retrieved and listed. The paths, parameters and payloads are not specified.',
  },
  '5': {
    title: 'Authentication',
    text: 'Every request has the header "authorization: Bearer <API_KEY>". A request with a body also has the header "content-type: application/json". How keys are issued, scoped or revoked is not specified.',
  },
  '6': { title: 'Events', text: 'Events are not specified.' },
  '7': {
    title: 'Errors',
    text: 'How a request is refused is not specified: neither the status nor the body of the response. Where another clause rules out a request, such as a stream without a name, the suite accepts any status from 400 to 499 as a refusal. It only observes, and does not judge, whether other requests are refused.',
  },
  '8': { title: 'Limits', text: 'Rate limits, size limits and page sizes are not specified.' },
  '9': { title: 'Versioning', text: 'Versioning is not specified.' },
};
