import { expect, test } from 'vitest';
import { serveHttp } from '../../target/servers.test-support.ts';
import { serveHostile } from '../../tools/hostile-targets.test-support.ts';
import { mockToLearn, observeOnly, withOther } from './learn.test-support.ts';
import { learn } from './learn.ts';

test.each([
  ...['hangs', 'hangs after its headers', 'sends a body without end', 'sends a bomb of gzip'],
  ...['redirects in a circle', 'answers with HTML', 'answers with an empty object'],
  ...['answers with lists too deep', 'sends status 404', 'sends status 500'],
  ...['gives ids that are half a character', 'gives ids that are paths'],
])(
  'learning ends, and learns no behaviour of streams and sessions, if a target %s',
  async (does) => {
    const { baseUrl, controlUrl } = await serveHostile(does);
    const options = { provider: { controlUrl }, timeout: 100, patience: 200 };
    const { observed } = await learn({ baseUrl, apiKey: 'test-secret', ...options });
    for (const id of ['list.order', 'sessions.appear', 'session.further-keys', 'time.ready']) {
      expect(observed.get(`behaviours.${id}`)?.outcome).not.toBe('observed');
    }
  },
);

test('a target whose responses are not read gets one request for a stream, and learn says why it stops', async () => {
  const { origin, received } = await serveHttp((_, response) =>
    response.writeHead(201, { 'content-encoding': 'br' }).end('x'),
  );
  const { unjudgeable } = await learn({ baseUrl: `${origin}/api`, apiKey: 'a-secret-key' });
  expect(unjudgeable).toMatch(
    /no stream could be created \(POST .* its content-encoding br is not read/,
  );
  expect(received.length).toBeLessThan(5);
});

test.each([{ id: { toString: 1 } }, { parentId: { toString: 1 } }, { parentId: '\ud800' }])(
  'learning ends if sessions show %j',
  async (shown) => {
    const options = withOther(mockToLearn(), async (request, answer) => {
      const response = await answer();
      if (!request.url.endsWith('/sessions?record=1') || response.status !== 200) return response;
      const sessions: object[] = await response.json();
      return Response.json(sessions.map((session) => ({ ...session, ...shown })));
    });
    const ids = ['list.order', 'sessions.appear', 'time.ready'];
    const names = ['errors.listStreams.key:none', ...ids.map((id) => `behaviours.${id}`)];
    const observed = await observeOnly(options, ...names);
    expect(observed.get('errors.listStreams.key:none')?.outcome).toBe('observed');
    expect(observed.size).toBe(4);
  },
);
