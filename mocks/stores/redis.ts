import { randomUUID } from 'node:crypto';
import type { RedisClientType } from 'redis';
import { optionError } from '../../text/option-error.ts';
import { Problem } from '../messages/problem.ts';
import type { Change, Replacement } from '../state/change.ts';
import { combine } from '../state/state.ts';
import { changeLine, readChangeLine } from './change-line.ts';
import { describeError, heldElsewhere, readProblem, type Store, saveProblem } from './store.ts';

/** A {@link Store} in Redis or Valkey. */
export interface RedisStore extends Store {
  /** Its address, without the user and the password. */
  readonly address: string;
  /**
   * Tries once more to keep what was not kept, releases the worlds and disconnects.
   * @throws Problem 507 if a change is lost.
   */
  close(): Promise<void>;
}

/** A world that this process has taken. */
interface HeldWorld {
  /** The time, by `performance.now()`, until which no other process can take it. */
  until: number;
  /** The number of entries in its list; 0 if not all changes are kept. */
  length: number;
  /** Whether another process has taken it in the meantime. */
  lost: boolean;
  /** The world as it is now, in one change. */
  whole: () => Replacement;
  /** Settles once Redis has responded to everything that was sent so far. */
  sent: Promise<unknown>;
}

/** A world is one list: the process that took it last, then its changes with their checksums. */
const worldPrefix = 'livestream-mock:world:';
/** While this key exists, no other process can take the world. */
const leasePrefix = 'livestream-mock:lease:';

/** From this many entries on, the next change is kept as the whole world. */
const maxEntries = 1_000;

/** Takes a world, and returns its changes. If another process has it, returns for how many milliseconds. */
const takeScript = `
local token, lease = ARGV[1], ARGV[2]
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= token then return redis.call('PTTL', KEYS[2]) end
redis.call('SET', KEYS[2], token, 'PX', lease)
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('RPUSH', KEYS[1], token) end
redis.call('LSET', KEYS[1], 0, token)
return redis.call('LRANGE', KEYS[1], 1, -1)`;

/**
 * Adds changes to a world that has `length` entries, or replaces it if `length` is 0, and renews the lease. A lease
 * of 0 releases the world. Returns the number of entries, 0 if Redis does not have all of them, or -1 if another
 * process has taken the world.
 */
const keepScript = `
local token, lease, length = ARGV[1], ARGV[2], tonumber(ARGV[3])
local owner = redis.call('LINDEX', KEYS[1], 0)
if owner and owner ~= token then return -1 end
if length == 0 then
  redis.call('DEL', KEYS[1])
  redis.call('RPUSH', KEYS[1], token)
elseif redis.call('LLEN', KEYS[1]) ~= length then
  return 0
end
for i = 4, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
local kept = redis.call('LLEN', KEYS[1])
if lease ~= '0' then
  redis.call('SET', KEYS[2], token, 'PX', lease)
else
  redis.call('DEL', KEYS[2])
  if kept == 1 then redis.call('DEL', KEYS[1]) end
end
return kept`;

/**
 * Keeps worlds in Redis or Valkey, where several mocks can share them: only one process at a time owns a world. Its
 * lease lasts `lease` milliseconds, and is renewed by every change and by any request in its second half. A change is
 * answered once Redis has acknowledged it. Needs the package `redis`.
 *
 * @param url `redis://[user:password@]host[:port][/database]`, or `rediss://` for TLS.
 * @throws RangeError, in one sentence that shows no password, if Redis cannot be used.
 */
export async function redisStore(
  url: string,
  { lease = 5_000 }: { lease?: number } = {},
): Promise<RedisStore> {
  const address = addressToShow(url);
  const client = await connectRedis(url, address);
  const { worlds, overtaken, take, send } = createWorldList(client, lease);
  // Redis may have lost worlds while it was away. What this process has in memory counts.
  client.on('ready', () => {
    for (const name of worlds.keys()) void send(name, []).catch(() => {});
  });
  return {
    address,
    open: (name) => take(name).catch((error) => Promise.reject(readProblem(error))),
    async append(name, changes, whole) {
      if (!worlds.has(name)) await take(name);
      const world = worlds.get(name) as HeldWorld;
      world.whole = whole;
      const isHeld = await send(name, changes).catch((error) => {
        world.length = 0;
        throw error;
      });
      if (!isHeld) throw heldElsewhere(1);
    },
    async names() {
      const names = new Set<string>();
      for await (const keys of client.scanIterator({ MATCH: `${worldPrefix}*`, COUNT: 1_000 })) {
        for (const key of keys) names.add(key.slice(worldPrefix.length));
      }
      return [...names];
    },
    hold(name) {
      const world = worlds.get(name);
      if (world === undefined || world.lost) return false;
      if (world.until - performance.now() > lease / 2) return true;
      return send(name, []).catch((error) => {
        // While the lease lasts, the world is this process's own, and the next request tries again.
        if (performance.now() < world.until) return true;
        throw readProblem(error);
      });
    },
    async close() {
      let loss: Error | undefined;
      for (const [name, world] of worlds) {
        const error = await send(name, [], 0).catch((failure) => failure);
        if (world.length === 0 && !world.lost) loss = saveProblem(error, 'the change is lost');
      }
      client.destroy();
      if (overtaken.size > 0) {
        loss = saveProblem(new Error('another process has taken the world'), 'the change is lost');
      }
      if (loss !== undefined) throw loss;
    },
  };
}

/** Makes the list of worlds that this process has taken in Redis, each for `lease` milliseconds after the last `send`. */
function createWorldList(client: RedisClientType, lease: number) {
  const worlds = new Map<string, HeldWorld>();
  /** The worlds that another process took before a refused change was kept, as its 507 promised. */
  const overtaken = new Set<string>();
  /** Identifies this process in Redis. */
  const token = randomUUID();
  const run = (script: string, name: string, ...args: readonly unknown[]) => {
    const keys = [worldPrefix + name, leasePrefix + name];
    const reply = client.eval(script, { keys, arguments: [token, ...args.map(String)] });
    return reply as Promise<number | string[]>;
  };
  const keep = async (
    name: string,
    world: HeldWorld,
    changes: readonly Change[],
    duration: number,
  ): Promise<boolean> => {
    if (world.lost) return false;
    const isLong = changes.length > 0 && world.length > maxEntries;
    const isWhole = isLong || world.length === 0 || changes.some((change) => 'state' in change);
    const entries = isWhole ? [world.whole()] : changes;
    const lines = entries.map((change) => changeLine(name, change).trimEnd());
    const until = performance.now() + duration;
    const length = isWhole ? 0 : world.length;
    const reply = Number(await run(keepScript, name, duration, length, ...lines));
    // Once the lease has ended, another process may have had the world, and its changes must not be overwritten.
    if (reply === 0 && performance.now() < world.until) {
      world.length = 0;
      return keep(name, world, changes, duration);
    }
    world.lost = reply <= 0;
    if (!world.lost) Object.assign(world, { until, length: reply });
    else if (world.length === 0) overtaken.add(name);
    return !world.lost;
  };
  return {
    worlds,
    overtaken,
    /**
     * Takes a world, and returns its changes.
     * @throws Problem 503 while another process has it.
     */
    async take(name: string): Promise<readonly Change[]> {
      const until = performance.now() + lease;
      const reply = await run(takeScript, name, lease);
      if (typeof reply === 'number') throw heldElsewhere(Math.ceil(reply / 1000));
      const changes = reply.map((text, index) => {
        const namedChange = readChangeLine(text);
        if (namedChange === undefined) throw damagedEntry(worldPrefix + name, index + 1);
        return namedChange.change;
      });
      const whole = () => combine(changes);
      const length = 1 + reply.length;
      worlds.set(name, { until, length, lost: false, whole, sent: Promise.resolve() });
      return changes;
    },
    /**
     * Keeps changes, after those already on their way, and renews the lease; a `duration` of 0 ends it. Returns
     * whether the world is still this process's own.
     */
    send(name: string, changes: readonly Change[], duration: number = lease): Promise<boolean> {
      const world = worlds.get(name) as HeldWorld;
      const sending = world.sent.then(() => keep(name, world, changes, duration));
      world.sent = sending.catch(() => {});
      return sending;
    },
  };
}

async function connectRedis(url: string, address: string): Promise<RedisClientType> {
  const { createClient } = await import('redis').catch(() => {
    throw storeError('the package redis, got none; "npm install redis" installs it');
  });
  let isConnected = false;
  const reconnectStrategy = (tries: number) => isConnected && Math.min(50 * 2 ** tries, 1_000);
  const client: RedisClientType = createClient({
    url,
    // While Redis is away, requests are refused at once. If it hangs for 10 s, it counts as away.
    disableOfflineQueue: true,
    pingInterval: 1_000,
    socket: { socketTimeout: 10_000, reconnectStrategy },
  });
  // The commands in progress fail with the same error.
  client.on('error', () => {});
  await client.connect().catch((error) => {
    throw storeError(`a Redis that responds at ${address}, got ${describeError(error)}`);
  });
  isConnected = true;
  return client;
}

/** The address, without anything secret. */
function addressToShow(url: string): string {
  const { protocol, host, pathname } = new URL(URL.canParse(url) ? url : 'none:');
  const isDatabase = /^\/?\d*$/.test(pathname);
  if (/^rediss?:$/.test(protocol) && host !== '' && isDatabase)
    return `${protocol}//${host}${pathname}`;
  throw storeError(
    'an address such as redis://127.0.0.1:6379/0, or rediss:// for TLS, got another',
  );
}

function storeError(expected: string): Error {
  return optionError(RangeError, 'store', `expected ${expected}`);
}

function damagedEntry(key: string, index: number): Problem {
  const expected = `every entry of ${key} as it was written`;
  const advice = 'restore this key in Redis, or delete it to start afresh';
  const issue = { path: 'store', expected, got: `entry ${index} damaged`, advice };
  return new Problem('unavailable', issue);
}
