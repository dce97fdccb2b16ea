import { expect, test } from 'vitest';
import { renderDialect } from './dialect-file.ts';

test('a dialect is written with a line for each entry', () => {
  const text = renderDialect({
    dialect: 2,
    usual: { type: 'text/plain' },
    refusals: { '*': { 'id:*': 410 }, setRecord: { 'key:none': { status: 403, body: 'empty' } } },
    orders: { told: 'first' },
    behaviours: {},
    routes: [{ method: 'GET', path: '/webhook', status: 200, json: [] }],
  });
  expect(text).toBe(`{
  "dialect": 2,
  "usual": { "type": "text/plain" },
  "refusals": {
    "*": {
      "id:*": 410
    },
    "setRecord": {
      "key:none": { "status": 403, "body": "empty" }
    }
  },
  "orders": {
    "told": "first"
  },
  "behaviours": {},
  "routes": [
    { "method": "GET", "path": "/webhook", "status": 200, "json": [] }
  ]
}
`);
});
