import { randomUUID } from 'node:crypto';
import type { RedisClientType } from 'redis';
import { optionError } from '../../option-error.ts';
import { Problem } from '../messages/problem.ts';
import { elsewhere } from '../service/world.ts';
import { type Change, countWhole, type Replacement } from '../state/change.ts';
import { changeTexts, createChangeReader } from './change-lines.ts';
import type { Store } from './store.ts';

/** A {@link Store} in Redis or Valkey. */
export interface RedisStore extends Store {
  /** Its address, without user and password. */
  readonly address: string;
  /** Tries once more to keep what was not kept, releases the worlds and disconnects. @throws Problem 507 */
  close(): Promise<void>;
}

/** What the functions of a store share. */
interface Shared {
  readonly client: RedisClientType;
  readonly lease: number;
  readonly worlds: Map<string, Taken>;
}

/** A world that this process has taken. */
interface Taken {
  readonly key: string;
  /** Says in Redis who has the world; new each time that it is taken, so that nothing late counts. */
  readonly token: string;
  /** When it was taken, by the clock of Redis. */
  readonly since: number;
  /** Number of the last attempt to write to it, which Redis has as well if it has that. */
  serial: number;
  /** Until when no other process can take it, by `performance.now()`. */
  until: number;
  /** Number of the entries of its list. */
  length: number;
  /** The length at which its changes are replaced by the whole world. */
  mostLength: number;
  /** Whether all changes are kept. */
  complete: boolean;
  /** Whether another process has taken it since. */
  lost: boolean;
  whole?: (() => Replacement) | undefined;
  /** What is on its way to Redis; whether the world was still this process's own when it arrived. */
  sending?: Promise<boolean>;
}

/** A world is one list: who has it, then its changes with their checksums. */
const keyPrefix = 'livestream-mock:1:';

/** Fewest entries of changes that are worth replacing by the whole world. */
const fewEntries = 500;

/**
 * `take` takes a world that no other process has and returns since when; `add` adds changes to a world, and
 * `all` replaces it: they return the number of entries. All renew the lease; one of 0 releases the world.
 * Returns 0 if Redis does not have the last change, and below 0 if another process has the world, for so many
 * milliseconds. After Redis has lost data, the process that took a world last has all that was acknowledged of
 * it, so `all` takes it from one that took it before and does not know that it has lost it.
 */
const script = `
local mode, token, lease, since, serial = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local world = KEYS[1]
local function seal(...)
  local text = table.concat({...}, ' ')
  return text .. ' ' .. redis.sha1hex(text)
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local head = redis.call('LINDEX', world, 0)
local owner, taken, till, last
if head then
  owner, taken, till, last = string.match(head, '^(%S+) (%d+) (%d+) (%d+) ')
  if not owner or head ~= seal(owner, taken, till, last) then return redis.error_reply('DAMAGED entry 0') end
end
local isOwn = owner == token
if mode ~= 'take' then
  if owner and not isOwn and tonumber(taken) > since then return -1 end
  if mode == 'add' and not (isOwn and last == serial) then return 0 end
elseif isOwn then
  since = tonumber(taken)
else
  if owner and tonumber(till) > now then return now - till end
  since = now
end
if mode == 'all' or not head then
  redis.call('DEL', world)
  redis.call('RPUSH', world, '')
end
for i = 6, #ARGV do redis.call('RPUSH', world, ARGV[i]) end
local function whole(number) return string.format('%.0f', number) end
redis.call('LSET', world, 0, seal(token, whole(since), whole(now + lease), whole(serial + 1)))
local kept = redis.call('LLEN', world)
if lease == 0 and kept == 1 then redis.call('DEL', world) end
return mode == 'take' and since or kept`;

/**
 * Keeps worlds in Redis or Valkey, where several mocks share them: each world is one process's at a time,
 * until `lease` milliseconds after its last request there. A change is answered once Redis has acknowledged
 * it. Needs the package `redis`.
 *
 * @param url `redis://[user:password@]host[:port][/database]`, or `rediss://` for TLS.
 * @throws TypeError or RangeError, in one sentence that shows no password, when Redis cannot be used.
 */
export async function redisStore(
  url: string,
  { lease = 5_000 }: { lease?: number } = {},
): Promise<RedisStore> {
  const address = addressOf(url);
  const worlds = new Map<string, Taken>();
  const client = await connect(url, address);
  const shared: Shared = { client, lease, worlds };
  // Redis may have lost worlds while it was away, and what this process has in memory counts.
  client.on('ready', () => {
    for (const world of worlds.values()) void send(shared, world, []).catch(() => {});
  });
  const refuse = (error: Error) => Promise.reject(unread(address, error));
  return {
    address,
    open: (name) => take(shared, name).catch(refuse),
    async append(name, changes, whole) {
      if (!worlds.has(name)) await take(shared, name);
      const world = worlds.get(name) as Taken;
      world.whole = whole;
      const held = await send(shared, world, changes).catch((error) => {
        world.complete = false;
        throw unkept(address, error, 'it is made here, and will be kept with the next one');
      });
      if (!held) throw elsewhere(1);
    },
    async names() {
      const names = new Set<string>();
      for await (const keys of client.scanIterator({ MATCH: `${keyPrefix}*`, COUNT: 1_000 })) {
        for (const key of keys) names.add(key.slice(keyPrefix.length));
      }
      return [...names];
    },
    hold(name) {
      const world = worlds.get(name);
      if (world === undefined || world.lost) return false;
      const left = world.until - performance.now();
      if (left > (2 / 3) * lease) return true;
      const renewed = (world.sending ?? send(shared, world, [])).catch(refuse);
      if (left <= 0) return renewed;
      // Until the lease ends, the next request tries again.
      renewed.catch(() => {});
      return true;
    },
    async close() {
      let loss: Error | undefined;
      for (const world of worlds.values()) {
        const error = await send({ ...shared, lease: 0 }, world, []).catch((error) => error);
        if (!world.complete && !world.lost) loss = unkept(address, error, 'it is lost');
      }
      client.destroy();
      if (loss !== undefined) throw loss;
    },
  };
}

async function take(shared: Shared, name: string): Promise<readonly Change[]> {
  const { client, lease, worlds } = shared;
  const before = worlds.get(name);
  // It still has a world that it took and could not open.
  const token = before === undefined || before.lost ? randomUUID() : before.token;
  const key = keyPrefix + name;
  const until = performance.now() + lease;
  const since = await run(client, key, ['take', token, lease, 0, 0]);
  if (since < 0) throw elsewhere(Math.ceil(-since / 1000));
  const lengths = { length: 1, mostLength: fewEntries };
  const world = { key, token, since, serial: 1, until, ...lengths, complete: true, lost: false };
  worlds.set(name, world);
  const texts = await client.lRange(key, 1, -1);
  const changes = readEntries(texts);
  world.length += texts.length;
  world.mostLength += countWhole(changes);
  return changes;
}

/** An entry of a world that cannot be read. */
class DamagedEntry extends Error {
  constructor(index: number) {
    super(`entry ${index} of its list is damaged or not of version 2`);
  }
}

/** The changes of a world, each of which is a whole number of lines. */
function readEntries(texts: readonly string[]): readonly Change[] {
  const reader = createChangeReader();
  for (const [index, text] of texts.entries()) {
    if (text.split('\n').some((line) => reader.add(line) === undefined)) {
      throw new DamagedEntry(index + 1);
    }
  }
  return reader.kept.get('') ?? [];
}

/** Keeps changes after those on their way, and renews the lease; whether the world was still this process's own. */
async function send(shared: Shared, world: Taken, changes: readonly Change[]): Promise<boolean> {
  while (world.sending !== undefined) await world.sending.catch(() => {});
  world.sending = keep(shared, world, changes).finally(() => delete world.sending);
  return world.sending;
}

async function keep(shared: Shared, world: Taken, changes: readonly Change[]): Promise<boolean> {
  const { client, lease } = shared;
  if (world.lost) return false;
  const isLong = changes.length > 0 && world.length > world.mostLength;
  const whole = isLong || !world.complete ? world.whole?.() : undefined;
  const kept = whole === undefined ? changes : [whole];
  const last = kept.findLastIndex((change) => 'state' in change);
  const sent = kept.slice(Math.max(0, last));
  const entries = sent.flatMap((change) => changeTexts(change)).map((text) => text.trimEnd());
  const { key, token, since, serial } = world;
  // Also if it fails: it may have arrived, and no number stands for two states of the world.
  world.serial += 1;
  const until = performance.now() + lease;
  const head = [last < 0 ? 'add' : 'all', token, lease, since, serial];
  const reply = await run(client, key, [...head, ...entries]);
  if (reply === 0 && world.whole !== undefined) {
    world.complete = false;
    return keep(shared, world, changes);
  }
  if (reply <= 0) {
    Object.assign(world, { lost: true, whole: undefined });
    return false;
  }
  Object.assign(world, { until, length: reply, complete: true });
  // By then there are about as many changes as records.
  if (last >= 0) world.mostLength = fewEntries + countWhole(sent);
  return true;
}

async function run(
  client: RedisClientType,
  key: string,
  args: readonly (string | number)[],
): Promise<number> {
  const reply = client.eval(script, { keys: [key], arguments: args.map(String) });
  return Number(
    await reply.catch((error) => {
      throw error.message.includes('DAMAGED') ? new DamagedEntry(0) : error;
    }),
  );
}

async function connect(url: string, address: string): Promise<RedisClientType> {
  const { createClient } = await import('redis').catch(() => {
    throw refused('the package redis, got none; "npm install redis" installs it');
  });
  let isConnected = false;
  const reconnectStrategy = (tries: number) => isConnected && Math.min(50 * 2 ** tries, 1_000);
  const client: RedisClientType = createClient({
    url,
    // While it is away, requests are refused at once; if it hangs for 10 s, it counts as away.
    disableOfflineQueue: true,
    pingInterval: 1_000,
    socket: { socketTimeout: 10_000, reconnectStrategy },
  });
  // The commands on their way fail with the same error.
  client.on('error', () => {});
  await client.connect().catch((error) => {
    throw refused(`a Redis that responds at ${address}, got ${describe(error)}`);
  });
  isConnected = true;
  return client;
}

/** The address without what is secret. */
function addressOf(url: string): string {
  const { protocol, host, pathname } = new URL(URL.canParse(url) ? url : 'none:');
  if (/^rediss?:$/.test(protocol) && host !== '') return `${protocol}//${host}${pathname}`;
  throw refused('an address such as redis://127.0.0.1:6379, or rediss:// for TLS, got another');
}

function refused(expected: string): Error {
  return optionError(RangeError, 'store', `expected ${expected}`);
}

function unread(address: string, error: Error): Problem {
  if (error instanceof Problem) return error;
  const issue = { path: 'store', expected: `${address} to give the world`, got: describe(error) };
  const remedy =
    error instanceof DamagedEntry
      ? { advice: 'restore the key of this world in Redis, or delete it to begin anew' }
      : { advice: 'send the request again', headers: { 'retry-after': '1' } };
  return new Problem('unavailable', { ...issue, ...remedy });
}

function unkept(address: string, error: Error, outcome: string): Problem {
  const expected = `${address} to keep the change`;
  const issue = { path: 'store', expected, got: describe(error), advice: outcome };
  return new Problem('not-kept', issue);
}

function describe({ message, code }: NodeJS.ErrnoException): string {
  return `"${message || code}"`;
}
