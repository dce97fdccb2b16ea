// node:http and nothing else, sending responses from memory: node node-http.mjs FILE
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const kept = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const responses = new Map(
  kept.map(({ line, status, type, ...response }) => {
    const body = Buffer.from(response.body);
    const headers = status === 204 ? {} : { 'content-type': type, 'content-length': body.length };
    return [line, { status, headers, body }];
  }),
);

const server = createServer((request, response) => {
  const { status, headers, body } = responses.get(`${request.method} ${request.url}`);
  const respond = () => response.writeHead(status, headers).end(body);
  if (request.method === 'GET') respond();
  else request.resume().on('end', respond);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(JSON.stringify({ baseUrl: `http://127.0.0.1:${server.address().port}` }));
});
