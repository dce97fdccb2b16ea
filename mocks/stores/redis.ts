import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { RedisClientType } from 'redis';
import { optionError } from '../../text/option-error.ts';
import { firstOf, howMany } from '../../text/phrases.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import type { Change, Replacement } from '../state/change.ts';
import { combine } from '../state/state.ts';
import { beginning, changeLines, createLineReader, type LineFault } from './change-line.ts';
import { describeException, heldElsewhere, readProblem, type Store, saveProblem } from './store.ts';

/** A {@link Store} in Redis or Valkey. */
export interface RedisStore extends Store {
  /** Its address, without the user and the password. */
  readonly address: string;
  /**
   * Tries once more to keep what was not kept, releases the worlds and disconnects.
   * @throws Problem 507 if a change is lost, or if Redis has lost changes that it had acknowledged.
   */
  close(): Promise<void>;
}

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** Milliseconds for which a world stays with a process after its last request; default 5,000. */
  lease?: number;
  /**
   * Milliseconds for which nobody must have asked for a world before it is handed to another process that asks for it;
   * default 1,500, as an encoder asks once a second. With `Infinity`, none is handed over.
   */
  quiet?: number;
  /** Milliseconds after which Redis forgets a world for which nobody asks; default 0, for never. */
  idle?: number;
  /** Called with a sentence as soon as it turns out that Redis has lost changes that it had acknowledged. */
  onLoss?: (notice: string) => void;
  /** Called with a sentence when Redis no longer responds (`isBack` is false), and when it responds again. */
  onOutage?: (notice: string, isBack: boolean) => void;
}

/** A world that this process has taken. */
interface HeldWorld {
  /** Identifies its list. If Redis loses the list, the next one gets another id. */
  readonly listId: string;
  /** The time, by `performance.now()`, until which no other process can take it. */
  until: number;
  /** When somebody asked for it last, by `performance.now()`. */
  askedAt: number;
  /** The number of entries in its list; 0 if not all changes are kept. */
  length: number;
  /** The checksum of the last entry. */
  last: string;
  /** Whether another process has taken it in the meantime. */
  lost: boolean;
  /** The world as it is now, in one change. */
  whole: () => Replacement;
  /** Settles once Redis has responded to everything that was sent so far. */
  sent: Promise<unknown>;
}

/**
 * A world is one list: the process that took it last and the id of the list, then the world's changes, each with its
 * checksum and that of the one before.
 */
const worldPrefix = 'livestream-mock:world:';
/** While this key exists, no other process can take the world. */
const leasePrefix = 'livestream-mock:lease:';
/** Followed by what identifies a process: the list of its worlds that other processes ask for. */
const wishPrefix = 'livestream-mock:wishes:';

/** How often a process looks whether others ask for its worlds, in milliseconds. */
const wishInterval = 100;

/** After this many milliseconds without an answer, Redis counts as unreachable for whoever asks for the mock's health. */
const longestPing = 2_000;

/** How long a request waits for a world beyond the time after which it is handed over, in milliseconds. */
const patience = 500;

/** From this many entries on, the next change is kept as the whole world. */
const maxEntries = 1_000;

/**
 * Takes a world, and returns its entries, after the id of its list: the one given, if the list is new or has none.
 * If another process has it, returns for how many milliseconds. If the first entry is that of a change, returns -1.
 */
const takeScript = `
local token, lease, id, idle = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= token then
  redis.call('RPUSH', KEYS[3] .. holder, ARGV[5])
  redis.call('PEXPIRE', KEYS[3] .. holder, lease)
  return math.max(1, redis.call('PTTL', KEYS[2]))
end
local head = redis.call('LINDEX', KEYS[1], 0)
if head and string.sub(head, 1, 1) == '{' then return -1 end
redis.call('SET', KEYS[2], token, 'PX', lease)
if head then
  id = string.match(head, ' (.+)$') or id
  redis.call('LSET', KEYS[1], 0, token .. ' ' .. id)
else
  redis.call('RPUSH', KEYS[1], token .. ' ' .. id)
end
if idle ~= '0' then redis.call('PEXPIRE', KEYS[1], idle) end
local entries = redis.call('LRANGE', KEYS[1], 1, -1)
table.insert(entries, 1, id)
return entries`;

/**
 * Adds changes to a world that has \`length\` entries, or replaces it if \`length\` is 0, and renews the lease. A lease
 * of 0 releases the world. Returns the number of entries, or a {@link keepFailures number below 1}.
 */
const keepScript = `
local token, lease, id, idle, length = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local own = token .. ' ' .. id
local head = redis.call('LINDEX', KEYS[1], 0)
if head and head ~= own and string.sub(head, 1, 1) ~= '{' then
  if string.sub(head, -string.len(id)) == id then return -1 end
  return -2
end
if length == 0 then
  redis.call('DEL', KEYS[1])
  redis.call('RPUSH', KEYS[1], own)
elseif head ~= own or redis.call('LLEN', KEYS[1]) ~= length then
  return 0
end
for i = 6, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
if idle ~= '0' then redis.call('PEXPIRE', KEYS[1], idle) end
local kept = redis.call('LLEN', KEYS[1])
if lease ~= '0' then
  redis.call('SET', KEYS[2], token, 'PX', lease)
else
  redis.call('DEL', KEYS[2])
  if kept == 1 then redis.call('DEL', KEYS[1]) end
end
return kept`;

/** What the script returns if it keeps nothing. */
const keepFailures = {
  /** Redis does not have all entries. */
  incomplete: 0,
  /** Another process has taken the world. */
  taken: -1,
  /** Redis has lost the list, and a process has begun another one, or something else has overwritten it. */
  begunAgain: -2,
} as const;

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
  {
    lease = 5_000,
    quiet = 1_500,
    idle = 0,
    onLoss = () => {},
    onOutage = () => {},
  }: RedisStoreOptions = {},
): Promise<RedisStore> {
  const address = addressToShow(url);
  const client = await connectRedis(url, address);
  /** The worlds of which Redis has lost something. */
  const bereft = new Set<string>();
  /** Those that `onLoss` has yet to learn. */
  const unreported: string[] = [];
  const { worlds, overtaken, take, send, release, grantWishes } = createWorldList(
    client,
    { lease, quiet, idle: idle && idle + 2 * lease },
    (name) => {
      bereft.add(name);
      // When Redis is back, many worlds may be noticed together.
      if (unreported.push(name) > 1) return;
      setImmediate(() => onLoss(lossProblem(unreported.splice(0)).message));
    },
  );
  // Worlds that were kept without a limit get one.
  if (idle > 0) void expireAll(client, idle).catch(() => {});
  const wishes = setInterval(() => {
    if (client.isReady && worlds.size > 0) grantWishes().catch(() => {});
  }, wishInterval).unref();
  let isAway = false;
  // It comes again with each attempt to connect.
  client.on('error', (exception) => {
    if (isAway) return;
    isAway = true;
    const reason = describeException(exception);
    onOutage(
      `store: no response from ${address} (${reason}); a change gets 507, and a world whose lease has ended gets 503`,
      false,
    );
  });
  client.on('ready', () => {
    if (isAway) onOutage(`store: ${address} responds again`, true);
    isAway = false;
  });
  // Redis may have lost worlds while it was away. What this process has in memory counts.
  client.on('ready', () => {
    for (const name of worlds.keys()) void send(name, []).catch(() => {});
  });
  return {
    address,
    open: (name) => take(name).catch((exception) => Promise.reject(readProblem(exception))),
    async append(name, changes, whole) {
      if (!worlds.has(name)) await take(name);
      const world = worlds.get(name) as HeldWorld;
      world.whole = whole;
      const isHeld = await send(name, changes).catch((exception) => {
        world.length = 0;
        throw exception;
      });
      if (!isHeld) throw heldElsewhere(1);
    },
    async names() {
      const names = new Set<string>();
      for await (const keys of worldKeys(client)) {
        for (const key of keys) names.add(key.slice(worldPrefix.length));
      }
      return [...names];
    },
    delete: (name) => release(name, true),
    release: (name) => release(name, false),
    hold(name) {
      const world = worlds.get(name);
      if (world === undefined || world.lost) return false;
      world.askedAt = performance.now();
      if (world.until - performance.now() > lease / 2) return true;
      return send(name, []).catch((exception) => {
        // While the lease lasts, the world is this process's own, and the next request tries again.
        if (performance.now() < world.until) return true;
        throw readProblem(exception);
      });
    },
    ping: shareWhilePending(() => withDeadline(client.ping(), longestPing)),
    async close() {
      clearInterval(wishes);
      let loss: Error | undefined;
      for (const [name, world] of worlds) {
        const error = await send(name, [], 0).catch((failure) => failure);
        if (world.length === 0 && !world.lost) loss = saveProblem(error, 'the change is lost');
      }
      client.destroy();
      if (overtaken.size > 0) {
        loss = saveProblem(new Error('another process has taken the world'), 'the change is lost');
      }
      if (bereft.size > 0) loss = lossProblem([...bereft]);
      if (loss !== undefined) throw loss;
    },
  };
}

/**
 * Makes the list of worlds that this process has taken in Redis, each for `lease` milliseconds after the last `send`.
 * Calls `onLoss` with the name of a world of which Redis has lost something that this process cannot write again.
 */
function createWorldList(
  client: RedisClientType,
  { lease, quiet, idle }: Readonly<Record<'lease' | 'quiet' | 'idle', number>>,
  onLoss: (name: string) => void,
) {
  const worlds = new Map<string, HeldWorld>();
  /** The worlds that another process took before a refused change was kept, as its 507 promised. */
  const overtaken = new Set<string>();
  /** Identifies this process in Redis. */
  const token = randomUUID();
  const run = (script: string, name: string, ...args: readonly unknown[]) => {
    const keys = [worldPrefix + name, leasePrefix + name, wishPrefix];
    const reply = client.eval(script, { keys, arguments: [token, ...args.map(String)] });
    return reply as Promise<number | string[]>;
  };
  const giveUp = (name: string, world: HeldWorld, reply: number): void => {
    world.lost = true;
    if (world.length === 0) overtaken.add(name);
    // Redis forgets an idle world as it was asked to.
    if (idle > 0 && performance.now() - world.until > idle / 2) return;
    // A list of one entry has no changes yet.
    if (reply !== keepFailures.taken && world.length > 1) onLoss(name);
  };
  const keep = async (
    name: string,
    world: HeldWorld,
    changes: readonly Change[],
    duration: number,
  ): Promise<boolean> => {
    if (world.lost) return false;
    const isWhole = replacesAll(world, changes);
    const entries = isWhole ? [world.whole()] : changes;
    const { lines, last } = changeLines(name, entries, isWhole ? beginning : world.last);
    const until = performance.now() + duration;
    const length = isWhole ? 0 : world.length;
    const texts = lines.map((line) => line.trimEnd());
    const reply = Number(
      await run(keepScript, name, duration, world.listId, idle, length, ...texts),
    );
    // Once the lease has ended, another process may have had the world, and its changes must not be overwritten.
    if (reply === keepFailures.incomplete && performance.now() < world.until) {
      world.length = 0;
      return keep(name, world, changes, duration);
    }
    if (reply > 0) Object.assign(world, { until, length: reply, last });
    else giveUp(name, world, reply);
    return !world.lost;
  };
  /**
   * Gives up a world that this process has taken. Redis forgets it if that `ends` it.
   * @throws Problem 503 if another process has it.
   */
  const release = async (name: string, ends: boolean): Promise<void> => {
    const world = worlds.get(name);
    if (world === undefined) return;
    await world.sent;
    // A list without changes is removed.
    const reply = ends ? await run(keepScript, name, 0, world.listId, idle, 0) : 0;
    if (ends && Number(reply) < 0) throw heldElsewhere(1);
    if (!ends) await keep(name, world, [], 0);
    worlds.delete(name);
  };
  return {
    worlds,
    overtaken,
    release,
    /** Hands the worlds that other processes ask for to them, unless somebody still asks for them here. */
    async grantWishes(): Promise<void> {
      const names = (await client.lPopCount(wishPrefix + token, 1_000)) ?? [];
      for (const name of new Set(names)) {
        const world = worlds.get(name);
        const isQuiet = world && performance.now() - world.askedAt > quiet;
        if (isQuiet && world.length > 0 && !world.lost) await release(name, false);
      }
    },
    /**
     * Takes a world, and returns its changes.
     * @throws Problem 503 while another process has it.
     */
    async take(name: string): Promise<readonly Change[]> {
      const deadline =
        performance.now() + (quiet === Number.POSITIVE_INFINITY ? 0 : quiet + patience);
      let until = performance.now() + lease;
      const tryIt = () => run(takeScript, name, lease, randomUUID(), idle, name);
      let reply = await tryIt();
      // Its holder hands it over once nobody asks for it there any more.
      while (typeof reply === 'number' && reply > 0 && performance.now() < deadline) {
        await setTimeout(wishInterval);
        until = performance.now() + lease;
        reply = await tryIt();
      }
      const key = worldPrefix + name;
      if (reply === -1) throw damagedList(key, 'no entry 0, which says who has the world');
      if (typeof reply === 'number') throw heldElsewhere(Math.ceil(reply / 1000));
      const [listId = '', ...entries] = reply;
      const reader = createLineReader(beginning, false);
      const changes = entries.map((text, index) => {
        const read = reader.read(text);
        if (typeof read === 'string') throw damagedList(key, entryFaults[read](index + 1));
        if (index === 0 && !('state' in read.change)) {
          throw damagedList(key, 'entry 1, which changes a world that no entry before it begins');
        }
        return read.change;
      });
      const whole = () => combine(changes);
      const [length, last] = [reply.length, reader.last()];
      const sent = Promise.resolve();
      const askedAt = performance.now();
      worlds.set(name, { listId, until, askedAt, length, last, lost: false, whole, sent });
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

/** Whether changes are kept as the whole world, in place of what is there. */
function replacesAll({ length }: HeldWorld, changes: readonly Change[]): boolean {
  if (length === 0 || changes.some((change) => 'state' in change)) return true;
  return changes.length > 0 && length > maxEntries;
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
  await client.connect().catch((exception) => {
    throw storeError(`a Redis that responds at ${address}, got ${describeException(exception)}`);
  });
  isConnected = true;
  return client;
}

/** The keys of all worlds, some at a time; one may come twice. */
function worldKeys(client: RedisClientType): AsyncGenerator<string[]> {
  return client.scanIterator({ MATCH: `${worldPrefix}*`, COUNT: 1_000 });
}

/** Lets Redis forget the worlds in so many milliseconds that it would never forget. */
async function expireAll(client: RedisClientType, milliseconds: number): Promise<void> {
  for await (const keys of worldKeys(client)) {
    for (const key of keys) {
      if ((await client.pTTL(key)) === -1) await client.pExpire(key, milliseconds);
    }
  }
}

/** Waits for a value. @throws Error if it has not come after some milliseconds */
async function withDeadline(pending: Promise<unknown>, milliseconds: number): Promise<void> {
  const timer = new AbortController();
  const { signal } = timer;
  const deadline = setTimeout(milliseconds, undefined, { signal, ref: false }).then(() => {
    throw new Error(`no answer within ${milliseconds} ms`);
  });
  await Promise.race([pending, deadline]).finally(() => timer.abort());
}

/** Makes a function whose callers share a promise until it settles, so that many of them cost no more than one. */
function shareWhilePending(run: () => Promise<void>): () => Promise<void> {
  let pending: Promise<void> | undefined;
  return () => {
    pending ??= run().finally(() => {
      pending = undefined;
    });
    return pending;
  };
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

/** What a faulty entry is like, by its fault. */
const entryFaults = {
  damaged: (index: number) => `entry ${index} damaged`,
  displaced: (index: number) =>
    `entry ${index}, which does not follow entry ${index - 1}: an entry is missing, repeated or moved`,
} as const satisfies Record<LineFault, (index: number) => string>;

function damagedList(key: string, got: string): Problem {
  const expected = `every entry of ${key} as it was written`;
  const advice = 'restore this key in Redis, or delete it to start afresh';
  return new Problem('unavailable', { path: 'store', expected, got, advice });
}

/** The problem of worlds of which Redis has lost changes that it had acknowledged. */
function lossProblem(names: readonly string[]): Problem {
  const shown = firstOf(names.map(describeValue), 10).join(', ');
  const failure = `Redis has lost acknowledged changes of ${howMany(names.length, 'world')}: ${shown}`;
  const advice =
    'requests now get what Redis still has; with "appendonly yes" and "appendfsync always", Redis loses nothing in a crash';
  return new Problem('not-kept', {
    path: 'store',
    expected: 'every acknowledged change',
    got: 'fewer',
    failure,
    advice,
  });
}
