// MSW handlers behind Express, sending canned responses: node http-middleware.mjs FOLDER PORT
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from '@mswjs/http-middleware';
import { HttpResponse, http } from 'msw';

const [folder, port] = process.argv.slice(2);
const answers = JSON.parse(readFileSync(join(folder, 'canned.json'), 'utf8'));
const handlers = answers.map(({ method, path, status, headers, file }) => {
  const body = status === 204 ? null : readFileSync(file);
  const [pathname] = path.split('?');
  return http[method.toLowerCase()](
    `*${pathname}`,
    () => new HttpResponse(body, { status, headers }),
  );
});

createServer(...handlers).listen(Number(port), '127.0.0.1');
