import { createHash, randomUUID } from 'node:crypto';
import type { RedisClientType } from 'redis';
import { optionError } from '../../option-error.ts';
import { Problem } from '../problems/problem.ts';
import { elsewhere } from '../service/world.ts';
import type { Change, Replacement } from '../state/change.ts';
import { nextTurn } from '../state/next-turn.ts';
import { recordsPerLine, splitChange } from './log.ts';
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

/** A world is one list: who has it and until when, then its changes. */
const keyPrefix = 'livestream-mock:1:';

/**
 * Takes a world that no other process has (its list may have any length), adds changes to it, or replaces
 * all of it, and renews the lease; a lease of 0 releases it. Returns the number of entries; 0 when they are
 * not as many as expected, as after a crash of a Redis that had not saved them; below 0, for so many
 * milliseconds, while another process has the world.
 */
const script = `
local token, lease, length = ARGV[1], ARGV[2], ARGV[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local owner, till = string.match(redis.call('LINDEX', KEYS[1], 0) or '', '^(%S+) (%d+)$')
if owner and owner ~= token and (length ~= 'any' or till - now > 0) then
  return math.min(-1, now - till)
end
local kept = redis.call('LLEN', KEYS[1])
if length == 'all' or (length == 'any' and kept == 0) then
  redis.call('DEL', KEYS[1])
  kept = redis.call('RPUSH', KEYS[1], '')
elseif length ~= 'any' and kept ~= tonumber(length) then
  return 0
end
for i = 4, #ARGV do kept = redis.call('RPUSH', KEYS[1], ARGV[i]) end
redis.call('LSET', KEYS[1], 0, string.format('%s %.0f', token, now + lease))
if lease == '0' and kept == 1 then redis.call('DEL', KEYS[1]) end
return kept`;

const digest = createHash('sha1').update(script).digest('hex');

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
  const shared: Shared = { client: await connect(url, address), lease, worlds: new Map() };
  const { client, worlds } = shared;
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
  const [key, sentAt] = [keyPrefix + name, performance.now()];
  const reply = await run(client, key, [token, String(lease), 'any']);
  if (reply < 0) throw elsewhere(Math.ceil(-reply / 1000));
  const texts = await client.lRange(key, 1, -1);
  const lengths = { length: 1 + texts.length, mostLength: recordsPerLine };
  worlds.set(name, { key, token, until: sentAt + lease, ...lengths, complete: true, lost: false });
  return texts.map((text) => JSON.parse(text));
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
  const texts = await writeInParts(kept.slice(Math.max(0, last)));
  const length = last < 0 ? String(world.length) : 'all';
  const sentAt = performance.now();
  const reply = await run(client, world.key, [world.token, String(lease), length, ...texts]);
  if (reply === 0 && world.whole !== undefined) {
    world.complete = false;
    return keep(shared, world, changes);
  }
  if (reply <= 0) {
    Object.assign(world, { lost: true, whole: undefined });
    return false;
  }
  Object.assign(world, { until: sentAt + lease, length: reply, complete: true });
  // By then there are about as many changes as records.
  if (last >= 0) world.mostLength = recordsPerLine * reply;
  return true;
}

/** Changes as JSON; other requests are answered between the parts of a large one. */
async function writeInParts(changes: readonly Change[]): Promise<string[]> {
  const texts: string[] = [];
  for (const part of changes.flatMap((change) => [...splitChange(change)])) {
    if (texts.length > 0) await nextTurn();
    texts.push(JSON.stringify(part));
  }
  return texts;
}

/** Runs the script by its digest, and sends it where Redis does not know it yet. */
async function run(client: RedisClientType, key: string, args: string[]): Promise<number> {
  const parts = { keys: [key], arguments: args };
  const reply = await client.evalSha(digest, parts).catch((error: Error) => {
    if (error.message.startsWith('NOSCRIPT')) return client.eval(script, parts);
    throw error;
  });
  return Number(reply);
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
  const expected = `${address} to give the world`;
  const issue = { path: 'store', expected, got: describe(error), advice: 'send the request again' };
  return error instanceof Problem ? error : new Problem('unavailable', { ...issue, retryAfter: 1 });
}

function unkept(address: string, error: Error, outcome: string): Problem {
  const expected = `${address} to keep the change`;
  const issue = { path: 'store', expected, got: describe(error), advice: outcome };
  return new Problem('not-kept', issue);
}

function describe({ message, code }: NodeJS.ErrnoException): string {
  return `"${message || code}"`;
}
