import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { compileApp } from '../../../tools/compile.test-support.ts';

const source = `
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
  orderBy: [{ createdAt: 'desc' }, { name: 'asc' }],
});
void [perhaps, surely];

// @ts-expect-error
streams.findFirst((q) => q.where({ unknown: 1 }));
// @ts-expect-error
streams.findFirst((q) => q.where({ name: 1 }));
// @ts-expect-error
await streams.create({ title: 'a' });
// @ts-expect-error
await streams.update(stream, { data(draft) { draft.name = 'b'; } });
// @ts-expect-error
await sessions.update(surely.sessions, { data() {} });
`;

test('the declarations fit those of @msw/data, and know what can be written', async () => {
  const installed = resolve(
    import.meta.dirname,
    '../../../node_modules/@msw/data/build/index.d.mts',
  );
  expect(await compileApp(source, { '@msw/data': [installed] })).toBe('');
});
