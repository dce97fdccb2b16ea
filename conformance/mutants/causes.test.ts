import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMock } from '../../mocks/mock.ts';
import type { Evidence } from '../../target/requests/evidence.ts';
import { isViolation, type Result } from '../model/report.ts';
import { runAgainst } from '../run-against.test-support.ts';
import { breakFetch } from './catalogue.ts';

test('each broken rule fails few requirements, with one message and the request that shows it', async () => {
  const file = 'golden/causes.txt';
  const transcript = readFileSync(new URL(file, import.meta.url), 'utf8');
  let said = '';
  for (const [prompt, mutant = ''] of transcript.matchAll(/^\$ serve --break (.*)\n/gm)) {
    const results = await judge(mutant);
    const failures = results.filter((result) => isViolation(result) || result.outcome === 'error');
    const messages = new Set(failures.map(({ message = '' }) => message.replace(uuid, 'ID')));
    expect(messages.size, mutant).toBe(1);
    const requests = new Set(failures.map(({ evidence }) => requestOf(evidence[0])));
    said += `${prompt}${[failures.map(({ id }) => id).join(' '), ...messages, ...requests].join('\n')}\n\n`;
  }
  await expect(said).toMatchFileSnapshot(file);
  // It runs the whole suite for each.
}, 240_000);

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

test('a target that creates nothing without profiles is judged with profiles', async () => {
  const results = await judge('create-demands-profiles');
  const open = results.filter(({ outcome }) => ['blocked', 'error'].includes(outcome));
  expect(open.map(({ id, message }) => `${id} ${message}`)).toEqual([
    'MEDIA-4 needs a stream without profiles: the target creates none; see CREATE-13',
    'MEDIA-14 needs a stream without profiles: the target creates none; see CREATE-13',
  ]);
});

async function judge(mutant: string): Promise<readonly Result[]> {
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  return (await runAgainst(breakFetch(mutant, mock.fetch))).results;
}

/** Method and path of a request, such as `PATCH /stream/ID/record`. */
function requestOf(exchange: Evidence | undefined): string {
  const [, method = 'GET'] = /-X '(\w+)'/.exec(exchange?.curl ?? '') ?? [];
  const [, path = ''] =
    /--url 'http:\/\/mock\.test(?:\/api)?([^']*)'$/.exec(exchange?.curl ?? '') ?? [];
  return `${method} ${path.replace(uuid, 'ID')}`;
}
