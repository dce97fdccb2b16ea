/** The content type of JSON, without a dialect. */
export const jsonType = 'application/json; charset=utf-8';

/** The headers that pages of any origin may read, without a dialect. */
export const exposedHeaders: readonly string[] = [
  'accept-ranges',
  'content-length',
  'content-range',
  'etag',
  'link',
  'retry-after',
];

/** Each reason to refuse a request, with the HTTP status of the response. */
export const refusalStatuses = {
  /** The request cannot be read. */
  malformed: 400,
  /** The request can be read, but a rule of the service forbids it. */
  'not-allowed': 400,
  unauthorized: 401,
  forbidden: 403,
  /** There is no such route, record or file. */
  unknown: 404,
  /** The stream is live already. */
  conflict: 409,
  'too-large': 413,
  'unsupported-type': 415,
  'bad-range': 416,
  invalid: 422,
  /** A limit of the mock is reached. */
  full: 429,
  /** Another process has the world. */
  elsewhere: 503,
  /** The store does not respond. */
  unavailable: 503,
  /** The change was made, but the store could not keep it. */
  'not-kept': 507,
} as const;
