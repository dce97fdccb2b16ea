import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { compileApp } from '../../tools/compile.test-support.ts';
import { completionsOf } from '../../tools/completions.test-support.ts';
import { effectNames } from '../faults/effects.ts';

const msw = `
import { createMock } from 'livestream-mock';
import { handlers } from 'livestream-mock/msw';
import { setupWorker } from 'msw/browser';
import { setupServer } from 'msw/node';
setupServer(...handlers(createMock(), { baseUrl: 'https://livestream.test/api' })).listen();
void setupWorker(...handlers(createMock())).start();
// @ts-expect-error
handlers(createMock(), { address: '/api' });
`;

const data = `
import { Query } from '@msw/data';
import { createMock } from 'livestream-mock';
import { collections, type LiveStream } from 'livestream-mock/data';

const { streams, sessions } = await collections(await createMock().world());
const stream: LiveStream = await streams.create({ name: 'a', record: true });
const perhaps: LiveStream | undefined = streams.findFirst(new Query(({ name }) => name === 'a'));
const surely: LiveStream = streams.findFirst((q) => q.where({ name: 'a' }), { strict: true });
await streams.update(stream, { data(draft) { draft.record = false; } });
await sessions.create({ parentId: stream.id, duration: 60, recordingStatus: 'ready' });
await sessions.updateMany((q) => q.where({ stream: { name: 'a' } }), {
  data(session) { session.recordingStatus = 'failed'; },
});
void [perhaps, surely];
// @ts-expect-error
streams.findFirst((q) => q.where({ unknown: 1 }));
// @ts-expect-error
await streams.update(stream, { data(draft) { draft.name = 'b'; } });
`;

test.each([
  ['msw', 'msw', 'lib', msw],
  ['msw', 'msw-next', 'lib', msw],
  ['@msw/data', '@msw/data', 'build', data],
])('the declarations fit those of %s, installed as %s', async (library, name, folder, source) => {
  const installed = resolve(import.meta.dirname, '../../node_modules', name, folder);
  const output = await compileApp(source, {
    [library]: [join(installed, library === 'msw' ? 'core/index' : 'index.d.mts')],
    [`${library}/*`]: [join(installed, '*/index')],
  });
  expect(output).toBe('');
});

test('an editor offers every effect of a fault before its other keys are written', async () => {
  const offered = await completionsOf(`
import { createMock } from 'livestream-mock';
(await createMock().world()).addFault({ effect: '|' });
`);
  expect(offered.toSorted()).toEqual(effectNames.toSorted());
});
