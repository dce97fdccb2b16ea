import { describe, expect, onTestFinished, test } from 'vitest';
import { readErrors, testRequest } from '../http/request.test-support.ts';
import { seal } from './change-line.ts';
import { storeContract } from './contract.ts';
import { replaceBy, stream, update } from './contract-samples.ts';
import { rearranged } from './rearranged.test-support.ts';
import { startProcess, startRedis } from './redis.test-support.ts';
import { redisStore } from './redis.ts';

test('Redis satisfies the contract of a store', async () => {
  const { url, client } = await startRedis();
  for (const { check } of storeContract) {
    await check(() => redisStore(url));
    await client.flushAll();
  }
});

const world = 'livestream-mock:world:test-s3cret';

describe('a world', () => {
  test('is refused to another process until it is released, and then continues there at once', async () => {
    const { url } = await startRedis();
    const first = await startProcess(url, 60_000);
    const second = await startProcess(url, 60_000);
    await first.create('kept');
    const refused = await second.read();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await readErrors(refused)).toEqual([
      'world: expected one that no other process has open, got one that is open in another process that shares the store; nothing was changed; send the request again in 60 s',
    ]);
    await first.store.close();
    expect(await (await second.read()).json()).toMatchObject([{ name: 'kept' }]);
    expect((await first.create('late')).status).toBe(503);
  });

  test('is taken over when its lease has ended, with its clock and its random state', async () => {
    const { url } = await startRedis();
    const first = await startProcess(url);
    const before = await first.mock.world('test-s3cret');
    before.clock.advance('1h');
    await first.create('kept');
    const second = await startProcess(url);
    expect(await second.names()).toEqual(['kept']);
    await first.store.close();
    expect(first.losses).toEqual([]);
    const after = await second.mock.world('test-s3cret');
    expect(after.clock.now()).toBeGreaterThan(Date.now() + 3_500_000);
    expect(after.exportState().random).toEqual(before.exportState().random);
  });

  test('is dropped by a process that has lost it, which then changes nothing in it', async () => {
    const { url, client } = await startRedis();
    const first = await startProcess(url);
    await first.create('of the first');
    const stale = await first.mock.world('test-s3cret');
    const second = await startProcess(url, 60_000);
    // It has to wait until the lease of the first has ended.
    await expect.poll(async () => (await second.read()).status).toBe(200);
    const kept = await client.lRange(world, 0, -1);
    await expect(stale.createStream({ name: 'stale' })).rejects.toThrow('another process');
    expect((await first.create('refused')).status).toBe(503);
    expect((await first.read()).status).toBe(503);
    expect(await first.mock.worlds()).toEqual([]);
    expect(await client.lRange(world, 0, -1)).toEqual(kept);
  });

  test('stays with a process whose requests renew its lease', async () => {
    const { url, client } = await startRedis();
    const first = await startProcess(url, 1_000);
    const second = await startProcess(url, 1_000);
    await first.create('kept');
    const owner = await client.lIndex(world, 0);
    const until = Date.now() + 1_500;
    while (Date.now() < until) {
      expect((await first.read()).status).toBe(200);
      expect((await second.read()).status).toBe(503);
    }
    expect(await client.lIndex(world, 0)).toBe(owner);
  });

  test('stays with a process whose lease has ended, if no other has taken it', async () => {
    const { url, client } = await startRedis();
    const { mock, create, names } = await startProcess(url, 100);
    await create('first');
    const state = await mock.world('test-s3cret');
    state.addFault({ effect: 'delay', delay: 1, times: 1 });
    await expect.poll(() => client.keys('livestream-mock:lease:*')).toEqual([]);
    await create('second');
    expect(await names()).toEqual(['second', 'first']);
    expect((await mock.world('test-s3cret')).faults).toHaveLength(1);
  });

  test('is handed to the process that asks for it, once nobody asks for it where it is', async () => {
    const { url } = await startRedis();
    const first = await startProcess(url, 60_000, { quiet: 500 });
    const second = await startProcess(url, 60_000, { quiet: 500 });
    await first.create('kept');
    expect(await (await second.read()).json()).toMatchObject([{ name: 'kept' }]);
    expect([first.losses, second.losses]).toEqual([[], []]);
  });

  test('is not handed over while somebody asks for it where it is', async () => {
    const { url, client } = await startRedis();
    const first = await startProcess(url, 60_000, { quiet: 500 });
    const second = await startProcess(url, 60_000, { quiet: 500 });
    await first.create('kept');
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        expect((await first.read()).status).toBe(200);
        await client.ping();
      }
    })();
    const refused = await second.read();
    isOver = true;
    await asking;
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('that is released can be taken by another process at once', async () => {
    const { url } = await startRedis();
    const first = await startProcess(url, 60_000);
    const second = await startProcess(url, 60_000);
    await first.create('kept');
    await first.store.release?.('test-s3cret');
    expect(await (await second.read()).json()).toMatchObject([{ name: 'kept' }]);
    expect((await first.read()).status).toBe(503);
  });

  test('that has ended is gone from Redis, and any process may begin it again', async () => {
    const { url, client } = await startRedis();
    const first = await startProcess(url, 60_000);
    const second = await startProcess(url, 60_000);
    await first.create('kept');
    const ended = await first.mock.fetch(testRequest('DELETE /_mock/world'));
    expect(ended.status).toBe(204);
    expect(await client.keys('*')).toEqual([]);
    expect(await (await second.read()).json()).toEqual([]);
    expect(first.losses).toEqual([]);
  });

  test('for which nobody asks is forgotten by Redis, which is no loss', async () => {
    const { url, client } = await startRedis();
    const { create, read, losses } = await startProcess(url, 20, { idle: 300 });
    await create('kept');
    expect(await client.pTTL(world)).toBeGreaterThan(0);
    await expect.poll(() => client.exists(world)).toBe(0);
    expect(await (await read()).json()).toEqual([]);
    expect(losses).toEqual([]);
  });

  test('that was kept before there was a limit is forgotten, too', async () => {
    const { url, client } = await startRedis();
    const first = await startProcess(url);
    await first.create('kept');
    await first.store.close();
    await startProcess(url, 20, { idle: 300 });
    await expect.poll(() => client.exists(world)).toBe(0);
  });

  test('for which somebody asks is not forgotten', async () => {
    const { url } = await startRedis();
    const { create, names } = await startProcess(url, 20, { idle: 500 });
    await create('kept');
    const end = performance.now() + 1_500;
    while (performance.now() < end) expect(await names()).toEqual(['kept']);
  });

  test('is one list, which is replaced when it grows long', async () => {
    const { url, client } = await startRedis();
    const store = await redisStore(url);
    const whole = () => replaceBy(2);
    await store.append('test-a', [whole()], whole);
    const key = 'livestream-mock:world:test-a';
    for (const length of [602, 1_202, 2]) {
      const changes = Array.from({ length: 600 }, (_, now) => update({ now }));
      await store.append('test-a', changes, whole);
      expect(await client.lLen(key)).toBe(length);
    }
    expect(await client.keys('livestream-mock:world:*')).toEqual([key]);
    await store.close();
  });
});

describe('when Redis', () => {
  test('is killed, the mock is not healthy until Redis is back', async () => {
    const redis = await startRedis();
    const { health } = await startProcess(redis.url);
    expect(await health()).toBe(200);
    await redis.kill();
    expect(await health()).toBe(503);
    await redis.start();
    await expect.poll(health).toBe(200);
  });

  test('is silent, the mock is not healthy, which it says in time', async () => {
    const redis = await startRedis();
    const { health } = await startProcess(redis.url);
    redis.signal('SIGSTOP');
    const begin = performance.now();
    expect(await Promise.all([health(), health()])).toEqual([503, 503]);
    expect(performance.now() - begin).toBeLessThan(5_000);
    redis.signal('SIGCONT');
    await expect.poll(health).toBe(200);
  });

  test('is killed, changes are refused with 507 and kept when it is back', async () => {
    const redis = await startRedis();
    const { create, read, names } = await startProcess(redis.url, 60_000);
    await create('before');
    await redis.kill();
    const refused = await create('meanwhile');
    expect(refused.status).toBe(507);
    expect((await readErrors(refused))[0]).toMatch(/^store: could not save the change \(".+"\)/);
    expect((await read()).status).toBe(200);
    await redis.start();
    await expect.poll(async () => (await create('after')).status).toBe(201);
    expect((await names()).slice(-2)).toEqual(['meanwhile', 'before']);
    expect(await redis.client.lLen(world)).toBe(2);
  });

  test('does not respond until the lease has ended, requests are refused with 503', async () => {
    const redis = await startRedis();
    const { create, read, names } = await startProcess(redis.url, 200);
    await create('before');
    await redis.kill();
    await expect.poll(async () => (await read()).status).toBe(503);
    const refused = await read();
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await readErrors(refused))[0]).toContain('store: could not read the world');
    await redis.start();
    expect(await names()).toEqual(['before']);
  });

  test('is full, and another process takes the world before a refused change is kept, closing says that it is lost', async () => {
    const { url, client } = await startRedis();
    const first = await startProcess(url);
    await first.create('before');
    await client.configSet('maxmemory', '1');
    expect((await first.create('refused')).status).toBe(507);
    await client.configSet('maxmemory', '0');
    expect(await (await startProcess(url, 60_000)).names()).toEqual(['before']);
    expect((await first.read()).status).toBe(503);
    await expect(first.store.close()).rejects.toThrow(
      'store: could not save the change ("another process has taken the world"); the change is lost',
    );
  });

  test('has lost its data, a process writes the world that it has again', async () => {
    const redis = await startRedis();
    const first = await startProcess(redis.url, 60_000);
    await first.create('before');
    await redis.kill();
    await redis.startEmpty();
    await expect.poll(() => redis.client.lLen(world)).toBe(2);
    await first.store.close();
    expect(await (await startProcess(redis.url)).names()).toEqual(['before']);
  });

  test('has lost its data, a process whose lease has ended says so when Redis is back, and when it closes', async () => {
    const redis = await startRedis();
    const { store, losses, mock, create, read, names } = await startProcess(redis.url, 200);
    await create('lost');
    await mock.world('test-other');
    await redis.kill();
    await expect.poll(async () => (await read()).status).toBe(503);
    await redis.startEmpty();
    await expect.poll(() => losses.join('')).toMatch(/(?=.*test-other)(?=.*test-s3cret)/s);
    const advice =
      'requests now get what Redis still has; with "appendonly yes" and "appendfsync always", Redis loses nothing in a crash';
    for (const notice of losses) {
      expect(notice).toMatch(/^store: Redis has lost acknowledged changes of \d worlds?: "test-/);
      expect(notice).toContain(`"; ${advice}`);
    }
    expect(await names()).toEqual([]);
    await expect(store.close()).rejects.toThrow(
      /^store: Redis has lost acknowledged changes of 2 worlds: "test-.+", "test-.+"; /,
    );
  });

  test('has lost its data, and another process begins the world again, the one that had it says so', async () => {
    const { url, client } = await startRedis();
    const first = await startProcess(url, 60_000);
    await first.create('lost');
    await client.flushAll();
    const second = await startProcess(url, 60_000);
    expect((await second.create('afresh')).status).toBe(201);
    expect((await first.create('refused')).status).toBe(503);
    await expect
      .poll(() => first.losses)
      .toEqual([expect.stringContaining('of 1 world: "test-s3cret"')]);
    await expect(first.store.close()).rejects.toThrow('Redis has lost acknowledged changes');
    await second.store.close();
    expect(second.losses).toEqual([]);
  });

  test('has lost only the last changes, a process whose lease has ended says so', async () => {
    const { url, client } = await startRedis();
    const { store, losses, create, read, names } = await startProcess(url, 100);
    for (const name of ['kept', 'lost']) await create(name);
    await expect.poll(() => client.keys('livestream-mock:lease:*')).toEqual([]);
    await client.rPop(world);
    expect((await read()).status).toBe(200);
    await expect.poll(() => losses).toHaveLength(1);
    expect(await names()).toEqual(['kept']);
    await expect(store.close()).rejects.toThrow('Redis has lost acknowledged changes');
  });

  test('has lost its data, a process whose lease has ended does not write a world again', async () => {
    const { url, client } = await startRedis();
    const first = await startProcess(url);
    await first.create('before');
    const stale = await first.mock.world('test-s3cret');
    const second = await startProcess(url, 60_000);
    expect(await second.names()).toEqual(['before']);
    expect((await second.create('after')).status).toBe(201);
    await client.flushAll();
    await expect(stale.createStream({ name: 'late' })).rejects.toThrow('another process');
    expect((await second.create('last')).status).toBe(201);
    expect(await second.names()).toEqual(['last', 'after', 'before']);
  });

  test('returns an entry with one flipped bit, the world is refused', async () => {
    const { url, client } = await startRedis();
    const store = await redisStore(url);
    onTestFinished(() => store.close().catch(() => {}));
    await store.append('test-a', [replaceBy(450)], () => replaceBy(0));
    await store.append('test-a', [update({ streams: [stream(1, 'changed')] })], () => replaceBy(0));
    const key = 'livestream-mock:world:test-a';
    const [head = '', ...entries] = await client.lRange(key, 0, -1);
    for (const [index, text] of entries.entries()) {
      const entry = Buffer.from(text);
      for (let at = 0; at < entry.length; at += Math.ceil(entry.length / 150)) {
        const flipped = Buffer.from(entry);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << (at & 7));
        await client.del(key);
        await client.rPush(key, [
          Buffer.from(head),
          ...entries.map((one) => Buffer.from(one)).with(index, flipped),
        ]);
        await expect(store.open('test-a')).rejects.toThrow(
          `store: expected every entry of ${key} as it was written, got entry ${index + 1} damaged; restore this key in Redis, or delete it to start afresh`,
        );
      }
    }
    await client.del(key);
    expect(await store.open('test-a')).toEqual([]);
  });

  test.each([
    ['as it was written', 49, () => replaceBy(3)],
    ['that was replaced', 1_200, () => replaceBy(2)],
  ])(
    'misses, repeats or swaps an entry of a list %s, the world is refused and the entry named',
    async (_, count, whole) => {
      const { url, client } = await startRedis();
      const store = await redisStore(url);
      onTestFinished(() => store.close().catch(() => {}));
      await store.append('test-a', [replaceBy(3)], whole);
      for (let at = 0; at < count; at += 7) {
        const numbers = Array.from({ length: Math.min(7, count - at) }, (__, index) => at + index);
        const updates = numbers.map((now) => update({ now, streams: [stream(now % 5, `${now}`)] }));
        await store.append('test-a', updates, whole);
      }
      const key = 'livestream-mock:world:test-a';
      const entries = await client.lRange(key, 0, -1);
      expect(entries.length).toBeLessThan(1_100);
      for (const [what, harmed, index] of rearranged(entries)) {
        await client.multi().del(key).rPush(key, harmed).exec();
        const got =
          index === 0
            ? 'no entry 0, which says who has the world'
            : what === 'item 0 repeated'
              ? 'entry 1 damaged'
              : `entry ${index}, which does not follow entry ${index - 1}: an entry is missing, repeated or moved`;
        await expect(store.open('test-a'), what).rejects.toThrow(
          `store: expected every entry of ${key} as it was written, got ${got}; restore this key in Redis, or delete it to start afresh`,
        );
      }
      await client.multi().del(key).rPush(key, entries.slice(0, -1)).exec();
      expect(await store.open('test-a')).toHaveLength(entries.length - 2);
    },
  );

  test('misses an entry, a client gets 503 and an advice', async () => {
    const { url, client } = await startRedis();
    const first = await startProcess(url);
    for (const name of ['a', 'b', 'c']) await first.create(name);
    await first.store.close();
    const [, begin = ''] = await client.lRange(world, 0, 1);
    await client.lRem(world, 1, begin);
    const refused = await (await startProcess(url)).read();
    expect(refused.status).toBe(503);
    expect(await readErrors(refused)).toEqual([
      `store: expected every entry of ${world} as it was written, got entry 1, which does not follow entry 0: an entry is missing, repeated or moved; restore this key in Redis, or delete it to start afresh`,
    ]);
  });

  test('has a list of an older version, it is continued, and what it lacks is noticed', async () => {
    const { url, client } = await startRedis();
    const key = 'livestream-mock:world:test-a';
    const changes = [replaceBy(1), update({ now: 1 }), update({ now: 2 })];
    const old = changes.map((change) => seal({ world: 'test-a', change }).trimEnd());
    await client.rPush(key, ['of-an-older-process', ...old]);
    const store = await redisStore(url);
    expect(await store.open('test-a')).toEqual(changes);
    await store.append('test-a', [update({ now: 3 })], () => replaceBy(1));
    await store.close();
    const again = await redisStore(url);
    onTestFinished(() => again.close().catch(() => {}));
    expect(await again.open('test-a')).toEqual([...changes, update({ now: 3 })]);
    await client.lRem(key, 1, old[2] ?? '');
    await expect(again.open('test-a')).rejects.toThrow('entry 3, which does not follow entry 2');
    await client.lRem(key, 1, old[0] ?? '');
    await expect(again.open('test-a')).rejects.toThrow(
      'got entry 1, which changes a world that no entry before it begins',
    );
  });
});

describe('a store that cannot be opened says why, and shows no password', () => {
  test('there is no Redis', async () => {
    await expect(redisStore('redis://me:hush@127.0.0.1:1/3')).rejects.toThrow(
      /^store: expected a Redis that responds at redis:\/\/127\.0\.0\.1:1\/3, got "connect ECONNREFUSED 127\.0\.0\.1:1"$/,
    );
  });

  test('the password is wrong', async () => {
    const { url, client } = await startRedis();
    await client.configSet('requirepass', 'right');
    const opening = redisStore(url.replace('//', '//:hush@'));
    await expect(opening).rejects.toThrow(/^store: expected a Redis .*, got "WRONGPASS .*"$/);
    await expect(opening).rejects.not.toThrow('hush');
    const { store } = await startProcess(url.replace('//', '//:right@'));
    expect(store.address).toBe(url);
  });

  test.each(['http://me:hush@127.0.0.1', 'redis:hush', ''])('%s is not an address', async (url) => {
    await expect(redisStore(url)).rejects.toThrow(
      'store: expected an address such as redis://127.0.0.1:6379/0, or rediss:// for TLS, got another',
    );
  });
});
