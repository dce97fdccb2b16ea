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
