// What a user would write by hand, with node:http and a map: node hand-written.mjs FOLDER PORT
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [folder, port] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const streams = new Map(read('streams.json').map((stream) => [stream.id, stream]));
const [example] = streams.values();
const sessions = new Map([...streams.keys()].map((id) => [id, []]));
for (const session of read('sessions.json')) sessions.get(session.parentId).push(session);

function answer(response, status, value) {
  const body = value === undefined ? '' : JSON.stringify(value);
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { 'content-type': 'application/json', ...length }).end(body);
}

function route(request, response, text) {
  if (request.headers.authorization !== 'Bearer test-demo') return answer(response, 403, {});
  const [path] = request.url.split('?');
  const [, id, rest] = /^\/api\/stream(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? [];
  const stream = streams.get(id);
  if (request.method === 'POST') {
    const created = { ...example, ...JSON.parse(text), id: randomUUID(), createdAt: Date.now() };
    streams.set(created.id, created);
    sessions.set(created.id, []);
    return answer(response, 201, created);
  }
  if (stream === undefined) return answer(response, 404, {});
  if (rest === 'sessions') {
    return answer(
      response,
      200,
      sessions.get(id).filter(({ record }) => record),
    );
  }
  if (request.method === 'GET') return answer(response, 200, stream);
  stream.record = JSON.parse(text).record;
  answer(response, 204);
}

createServer((request, response) => {
  if (request.method === 'GET') return route(request, response, '');
  let text = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => route(request, response, text));
}).listen(Number(port), '127.0.0.1');
