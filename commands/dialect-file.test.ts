import { expect, test } from 'vitest';
import { renderDialect } from './dialect-file.ts';

test('a dialect is written with a line for each row and each break', () => {
  const text = renderDialect({
    format: 'livestream-mock/dialect',
    version: 1,
    rows: {
      'refusal.body': { type: 'application/json', json: { e: [1] } },
      'http.etag': 'present',
    },
    breaks: { 'key-spelling': { mp4URL: 'mp4Address' } },
  });
  expect(text).toBe(`{
  "format": "livestream-mock/dialect",
  "version": 1,
  "rows": {
    "refusal.body": {"type":"application/json","json":{"e":[1]}},
    "http.etag": "present"
  },
  "breaks": {
    "key-spelling": {"mp4URL":"mp4Address"}
  }
}
`);
});
