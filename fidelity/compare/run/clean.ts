import { isSuccess } from '../../../conformance/target/expectations.ts';
import { streamPath } from '../../../conformance/target/operations.ts';
import { callTarget } from '../../../conformance/target/target.ts';
import type { Run } from './run.ts';
import { both, type Service } from './services.ts';

/** Ends what is live and deletes the streams of a sequence, where they would stay. What cannot be deleted is left for the end. */
export async function cleanSequence(run: Run): Promise<void> {
  await both(run.services, async (service, side) => {
    if (service.streams === undefined) return;
    for (const { stop } of run.made.records) await stop?.[side]().catch(() => {});
    const others = run.made.records.filter(({ kind }) => kind === 'other-key');
    for (const { ids } of others) await deleteStream(service, ids[side], service.otherKey);
    const left: string[] = [];
    for (const id of service.streams.splice(0)) {
      if (!others.some(({ ids }) => ids[side] === id) && !(await deleteStream(service, id)))
        left.push(id);
    }
    service.streams.push(...left.slice(0, mostLeft));
  });
}

/** Streams that are remembered where a service deletes none. */
const mostLeft = 1_000;

/** Whether a stream is gone. */
async function deleteStream(
  { target }: Service,
  id: string | undefined,
  apiKey: string = target.apiKey,
): Promise<boolean> {
  if (id === undefined) return true;
  const call = { method: 'DELETE', path: streamPath(id) };
  const response = await callTarget({ ...target, apiKey }, call, () => {}).catch(() => undefined);
  return response !== undefined && (isSuccess(response) || [404, 410].includes(response.status));
}
