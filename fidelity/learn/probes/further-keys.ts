import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { type CreationBehaviours, documentedKeys } from '../../../interface/silent-creation.ts';
import type { Json } from '../../../interface/silent-row.ts';
import { deepestSample, samplesOf } from '../../sample.ts';
import { readySession } from '../questions/known-sessions.ts';
import type { ProbeContext, ProbesFor } from '../questions/probe.ts';
import { anyStream } from '../questions/streams.ts';
import { respellings } from './respellings.ts';

type FurtherKeys = Pick<
  CreationBehaviours,
  'stream.further-keys' | 'session.further-keys' | 'session.mp4Url'
>;

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

async function furtherKeys(
  { ask, readOnly, provider }: ProbeContext,
  kind: 'stream' | 'session',
  shown: JsonObject,
): Promise<Record<string, Json>> {
  const respelled = await ask(respellings);
  // Inside an object of somebody else, such as tags, the keys may be data.
  const depth = readOnly || provider.name === 'given' ? deepestSample : 0;
  const known = new Set([...documentedKeys[kind], ...Object.values(respelled)]);
  return samplesOf(shown, known, depth);
}
