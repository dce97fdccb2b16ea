import type { JsonObject } from '../../../conformance/target/expectations.ts';
import type { Breaks } from '../../../interface/breaks.ts';
import { type CreationBehaviours, documentedKeys } from '../../../interface/silent-creation.ts';
import type { Json } from '../../../interface/silent-row.ts';
import type { ProbesFor } from '../probe.ts';
import { respellings } from '../respellings.ts';
import { readySession } from './sessions.ts';
import { anyStream } from './streams.ts';

type FurtherKeys = Pick<
  CreationBehaviours,
  'stream.further-keys' | 'session.further-keys' | 'session.mp4Url'
>;

/** Levels of objects in a sample. */
const deepest = 2;

/** Probes of the keys that streams and sessions have beside the documented ones. */
export const furtherKeysProbes: ProbesFor<FurtherKeys> = {
  async 'stream.further-keys'({ ask }) {
    return furtherKeys('stream', await ask(anyStream), await ask(respellings));
  },
  async 'session.further-keys'({ ask }) {
    return furtherKeys('session', (await ask(readySession)).shown, await ask(respellings));
  },
  async 'session.mp4Url'({ ask }) {
    const isRespelled = (await ask(respellings)).mp4URL === 'mp4Url';
    return !isRespelled && 'mp4Url' in (await ask(readySession)).shown ? 'present' : 'absent';
  },
};

/** Samples of the further keys, made up, so that nobody's data leaves the service. */
function furtherKeys(
  kind: 'stream' | 'session',
  shown: JsonObject,
  respelled: NonNullable<Breaks['key-spelling']>,
): Record<string, Json> {
  const known = new Set([...documentedKeys[kind], ...Object.values(respelled)]);
  const further = Object.entries(shown)
    .filter(([key]) => !known.has(key) && isPlainKey(key))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(further.map(([key, value]) => [key, sampleOf(value, 0)]));
}

function isPlainKey(key: string): boolean {
  return /^[A-Za-z_][\w-]{0,60}$/.test(key);
}

function sampleOf(value: unknown, depth: number): Json {
  if (typeof value === 'string') return ['stream', 'session'].includes(value) ? value : 'text';
  if (typeof value === 'number') return Number.isInteger(value) ? 0 : 0.5;
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).filter(([key]) => depth < deepest && isPlainKey(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, sampleOf(item, depth + 1)]));
}
