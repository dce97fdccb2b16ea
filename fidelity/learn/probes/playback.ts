import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, readObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { get, streamPath } from '../../../conformance/target/operations.ts';
import { pathSegment } from '../../../conformance/target/target.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import { Inexpressible, type Question, readRefusal, readWord, refuseAlike } from './probe.ts';
import { liveStream, readySession } from './sessions.ts';
import { anyStream, newStream } from './streams.ts';

/** The path at which players are told what they play. */
export function playbackPath(id: unknown): string {
  return `/playback/${pathSegment(String(id))}`;
}

/** The response to the end of a stream that is not live. */
export const termination: Question<TargetResponse> = async (context) => {
  const { id } = await newStream(context);
  return context.send({ method: 'DELETE', path: `${streamPath(id)}/terminate` });
};

/** Whether streams are ended; a service that has the operation may refuse one that is not live. */
export const offersTermination: Question<'offered' | Refusal> = async (context) => {
  const ofIdle = await context.ask(termination);
  if (isSuccess(ofIdle)) return 'offered';
  const stream = await newStream(context);
  await liveStream(context, stream);
  const call = { method: 'DELETE', path: `${streamPath(stream.id)}/terminate` };
  const ofLive = await context.send(call);
  return refuseAlike(ofIdle, ofLive) ? readRefusal(ofLive) : 'offered';
};

/** Whether players are told where a stream is. */
export const offersPlayback: Question<'offered' | Refusal> = async (context) => {
  const { playbackId } = await context.ask(anyStream);
  if (typeof playbackId !== 'string') throw new Blocked('a stream that shows its playbackId');
  return readWord(await context.send(get(playbackPath(playbackId))), 'offered');
};

/** What players are told of a recording. */
export const sessionPlayback: Question<'recording' | Refusal> = async (context) => {
  const { shown } = await context.ask(readySession);
  const response = await context.send(get(playbackPath(shown['id'])));
  if (isSuccess(response) && readObject(response)['type'] !== 'recording') {
    throw new Inexpressible('expected the type recording or a refusal, got something else');
  }
  return readWord(response, 'recording');
};
