import type { Encoder, Provider } from '../../conformance/providers/provider.ts';
import { type Creations, createCaller } from '../../conformance/target/creations.ts';
import { isSuccess } from '../../conformance/target/expectations.ts';
import { Blocked, isOfTarget } from '../../conformance/target/failure.ts';
import {
  type CreatedStream,
  createStream,
  get,
  recordedSessionsPath,
} from '../../conformance/target/operations.ts';
import { callTarget, type Target } from '../../conformance/target/target.ts';

const options = { control: '--control-url', command: '--ingest-command' } as const;

/**
 * Makes a session on a new stream, or lists those of the given one. Resolves to what is wrong with the
 * option, and what to do, in sentences.
 */
export async function trySource(
  target: Target,
  provider: Provider,
  creations: Creations,
): Promise<string | undefined> {
  if (provider.name === 'given') return whyNotGiven(target, provider.streamId);
  if (provider.name !== 'control' && provider.name !== 'command') return undefined;
  const stream = await createStream(createCaller(target, creations, () => {})).catch(ignoreFailure);
  if (stream === undefined) return undefined;
  creations.live.add(stream.id);
  const problem = await whyNotLive(provider, stream);
  const option = options[provider.name];
  return (
    problem &&
    `No session could be made, ${problem}. Check ${option}, or leave it out and do without sessions.`
  );
}

async function whyNotLive(encoder: Encoder, stream: CreatedStream): Promise<string | undefined> {
  // A service that shows no stream key is at fault itself.
  if (encoder.name === 'command' && stream.streamKey === undefined) return undefined;
  try {
    await encoder.broadcast(stream, 1);
    return undefined;
  } catch (error) {
    if (error instanceof Blocked) return error.message;
    throw error;
  }
}

async function whyNotGiven(target: Target, streamId: string): Promise<string | undefined> {
  const advice = 'Give the id of a stream that has a recorded session, or leave the option out.';
  try {
    const list = get(recordedSessionsPath(streamId));
    const response = await callTarget(target, list, () => {});
    const isEmpty = response.text.trim() === '[]';
    if (isSuccess(response) && !isEmpty) return undefined;
    const got = isSuccess(response) ? 'an empty list' : `status ${response.status}`;
    return `The stream in --recorded-stream shows no recorded session: GET ${list.path} got ${got}. ${advice}`;
  } catch (error) {
    if (error instanceof Blocked) return `--recorded-stream: ${error.message}. ${advice}`;
    return ignoreFailure(error);
  }
}

/** The service does not do what is stated: that is found out and said elsewhere. */
function ignoreFailure(error: unknown): undefined {
  if (!isOfTarget(error)) throw error;
}
