import { describe, expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { clientOf } from '../http/dialect.test-support.ts';

describe('with profiles-absent', () => {
  test('a stream that was created without profiles has no key profiles', async () => {
    const { send } = await clientOf({}, { variant: 'profiles-absent' });
    const { json } = await send('POST /api/stream', { name: 'Quay' });
    expect(json).not.toHaveProperty('profiles');
  });

  test('profiles that were submitted come back, even if there are none', async () => {
    const { send } = await clientOf({}, { variant: 'profiles-absent' });
    const { json } = await send('POST /api/stream', { name: 'Quay', profiles: [] });
    expect(json).toMatchObject({ name: 'Quay', profiles: [] });
  });

  test('profiles are present on sessions', async () => {
    const { send, list, world } = await clientOf({}, { variant: 'profiles-absent' });
    const { json } = await send('POST /api/stream', { name: 'Quay' });
    await world.start(String(json['id']), { duration: 4 });
    expect(await list(`/api/stream/${json['id']}/sessions`)).toMatchObject([{ profiles: [] }]);
  });
});

test('with keys-more, streams and sessions have another key, and what is in them has not', async () => {
  const { send, list, world } = await clientOf({}, { variant: 'keys-more' });
  const body = { name: 'Quay', profiles: recommendedProfiles };
  const { json } = await send('POST /api/stream', body);
  await world.start(String(json['id']), { duration: 4 });
  const [session] = await list(`/api/stream/${json['id']}/sessions`);
  for (const view of [json, session]) {
    expect(view).toMatchObject({ profiles: recommendedProfiles, more: { of: [1, null] } });
    expect(view?.['profiles']).toEqual(recommendedProfiles);
  }
});

test('with profiles-show-more, every key and value that was submitted is still there', async () => {
  const { send } = await clientOf({}, { variant: 'profiles-show-more' });
  const body = { name: 'Quay', profiles: recommendedProfiles };
  const { json } = await send('POST /api/stream', body);
  expect(json).toMatchObject(body);
  expect(json['profiles']).not.toEqual(recommendedProfiles);
});
