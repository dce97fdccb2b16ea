// node:http and nothing else, sending responses from memory: node node-http.mjs FOLDER PORT
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [folder, port] = process.argv.slice(2);
const responses = new Map(
  JSON.parse(readFileSync(join(folder, 'responses.json'), 'utf8')).map((kept) => {
    const body = Buffer.from(kept.body, 'base64');
    const length = kept.status === 204 ? {} : { 'content-length': body.length };
    return [
      `${kept.method} ${kept.path}`,
      { ...kept, body, headers: { ...kept.headers, ...length } },
    ];
  }),
);

createServer((request, response) => {
  const { status, headers, body } = responses.get(`${request.method} ${request.url}`);
  const respond = () => response.writeHead(status, headers).end(body);
  if (request.method === 'GET') respond();
  else request.resume().on('end', respond);
}).listen(Number(port), '127.0.0.1');
