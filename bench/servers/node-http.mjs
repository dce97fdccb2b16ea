// node:http and nothing else, sending canned responses: node node-http.mjs FOLDER PORT
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [folder, port] = process.argv.slice(2);
const answers = new Map(
  JSON.parse(readFileSync(join(folder, 'canned.json'), 'utf8')).map((answer) => {
    const body = readFileSync(answer.file);
    const length = answer.status === 204 ? {} : { 'content-length': body.length };
    return [
      `${answer.method} ${answer.path}`,
      { ...answer, body, headers: { ...answer.headers, ...length } },
    ];
  }),
);

createServer((request, response) => {
  const { status, headers, body } = answers.get(`${request.method} ${request.url}`);
  const answer = () => response.writeHead(status, headers).end(body);
  if (request.method === 'GET') answer();
  else request.resume().on('end', answer);
}).listen(Number(port), '127.0.0.1');
