import { expect, test } from 'vitest';
import { bundledDialects } from '../../../interface/dialect/bundled-dialects.ts';
import { serveMock } from '../../../target/servers.test-support.ts';
import { openBrowser } from '../../../tools/browser.test-support.ts';

test('the bundled dialect backend-only refuses a page, and serves a backend and media', async () => {
  const { mock, origin } = await serveMock({ dialect: bundledDialects['backend-only'] });
  const world = await mock.world();
  const { id } = await world.createStream({ name: 'recorded', record: true });
  const { recordingUrl = '' } = await world.start(id, { duration: 5 });
  const streams = `${origin}/api/stream`;
  const authorization = `Bearer ${world.apiKey}`;

  const inBackend = await fetch(streams, { headers: { authorization } });
  expect(inBackend.status).toBe(200);
  const page = await (await openBrowser()).newPage();
  const ask = (url: string, headers = {}) =>
    page.evaluate(
      ([target, sent]) =>
        fetch(target, { headers: sent }).then(
          ({ status }) => status,
          ({ name }: Error) => name,
        ),
      [url, headers] as const,
    );
  expect(await ask(streams, { authorization })).toBe('TypeError');
  expect(await ask(recordingUrl)).toBe(200);
});
