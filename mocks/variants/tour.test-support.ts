import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { Session, Stream } from '../../interface/types.ts';
import type { Mock } from '../mock.ts';

/** Where the requests of an app go. */
export const origin = 'http://127.0.0.1:4100';

/** Sends the requests of an app, as JSON. */
export function clientOf(mock: Mock) {
  return async function send<Value>(route: string, body?: unknown): Promise<Value | undefined> {
    const [method = '', path = ''] = route.split(' ');
    const headers: Record<string, string> = path.startsWith('http')
      ? {}
      : { authorization: 'Bearer test-demo', 'content-type': 'application/json' };
    const response = await mock.fetch(
      new Request(path.startsWith('http') ? path : `${origin}/api${path}`, {
        method,
        headers: { ...headers, origin: 'http://app.test' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const isJson = response.headers.get('content-type')?.includes('json');
    const text = await response.text();
    return response.ok && isJson ? JSON.parse(text) : undefined;
  };
}

/** Does what an app with everything does: creates, switches, lists, reads and plays, before and after recordings are ready. */
export async function tour(mock: Mock): Promise<void> {
  const send = clientOf(mock);
  const world = await mock.world();
  const create = async (name: string, more: object = {}) => {
    const stream =
      (await send<Stream>('POST /stream', { name, ...more })) ??
      (await world.createStream({ name }));
    return stream.id;
  };
  const look = async (id: string) => {
    await send('GET /stream');
    await send('GET /session');
    await send(`GET /stream/${id}/sessions`);
    await send(`GET /stream/${id}`);
    const sessions = await send<Session[]>(`GET /stream/${id}/sessions?record=1`);
    for (const { recordingUrl, mp4URL } of sessions ?? []) {
      if (recordingUrl) await send(`GET ${recordingUrl}`);
      if (mp4URL) await send(`GET ${mp4URL}`);
    }
  };
  world.clock.advance(123);
  const first = await create('Harbour camera', { profiles: recommendedProfiles });
  world.clock.advance(1_000);
  const second = await create('Town council');
  await create('Ünïcödé that is longer than thirty-two characters', { mood: 'good' });
  await create('Größer', { profiles: [{ ...recommendedProfiles[0], name: '9p', fps: 1 }] });
  for (const id of [first, second]) {
    await send(`PATCH /stream/${id}/record`, { record: true });
    await world.setRecord(id, true);
    await world.start(id);
    await send(`PATCH /stream/${id}/record`, { record: false });
    await look(id);
    world.clock.advance(4_321);
    await look(id);
    await world.stop(id);
    await look(id);
    await look(id);
    world.clock.advance(2_000);
    await look(id);
    await world.start(id, { duration: 3 });
    world.clock.advance(60_000);
    await look(id);
  }
  const [session] = (await send<Session[]>(`GET /stream/${first}/sessions?record=1`)) ?? [];
  world.clock.advance('2h');
  if (session?.recordingUrl) await send(`GET ${session.recordingUrl}`);
  await send('GET /stream/nothing/sessions');
  await send('PATCH /stream/nothing/record', { record: true });
  await send(`PATCH /stream/${first}/record`, []);
  await send(`PATCH /stream/${first}/record`, { record: 'true' });
  await send(`PATCH /stream/${first}`, { record: true });
}
