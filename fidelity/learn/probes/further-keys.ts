import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { type CreationBehaviours, documentedKeys } from '../../../interface/silent-creation.ts';
import type { Json } from '../../../interface/silent-row.ts';
import { isPlainKey } from '../../form.ts';
import type { ProbeContext, ProbesFor } from './probe.ts';
import { respellings } from './respellings.ts';
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
  async 'stream.further-keys'(context) {
    return furtherKeys(context, 'stream', await context.ask(anyStream));
  },
  async 'session.further-keys'(context) {
    return furtherKeys(context, 'session', (await context.ask(readySession)).shown);
  },
  async 'session.mp4Url'({ ask }) {
    const isRespelled = (await ask(respellings)).mp4URL === 'mp4Url';
    return !isRespelled && 'mp4Url' in (await ask(readySession)).shown ? 'present' : 'absent';
  },
};

/** Samples of the further keys, made up, so that nobody's data leaves the service. */
async function furtherKeys(
  { ask, readOnly, provider }: ProbeContext,
  kind: 'stream' | 'session',
  shown: JsonObject,
): Promise<Record<string, Json>> {
  const respelled = await ask(respellings);
  // Inside an object of somebody else, such as tags, the keys may be data.
  const depth = readOnly || provider.name === 'given' ? deepest : 0;
  const known = new Set([...documentedKeys[kind], ...Object.values(respelled)]);
  const further = Object.entries(shown)
    .filter(([key]) => !known.has(key) && isPlainKey(key))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(further.map(([key, value]) => [key, sampleOf(value, depth)]));
}

function sampleOf(value: unknown, depth: number): Json {
  if (typeof value === 'string') return ['stream', 'session'].includes(value) ? value : 'text';
  if (typeof value === 'number') return Number.isInteger(value) ? 0 : 0.5;
  if (typeof value === 'boolean') return false;
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).filter(([key]) => depth < deepest && isPlainKey(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, sampleOf(item, depth + 1)]));
}
