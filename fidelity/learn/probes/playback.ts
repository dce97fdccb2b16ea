import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import {
  isSuccess,
  type JsonObject,
  readObject,
} from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { get, streamPath } from '../../../conformance/target/operations.ts';
import { type Call, pathSegment } from '../../../conformance/target/target.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import { readySession } from '../questions/known-sessions.ts';
import { liveStream } from '../questions/make-session.ts';
import {
  Inexpressible,
  type Question,
  readRefusal,
  readWord,
  refuseAlike,
} from '../questions/probe.ts';
import { anyStream, newStream } from '../questions/streams.ts';

/** The path at which players are told what they play. */
export function playbackPath(id: unknown): string {
  return `/playback/${pathSegment(id)}`;
}

/** The playback id that a stream shows. @throws Blocked if it shows none */
export function playbackIdOf({ playbackId }: JsonObject): string {
  if (typeof playbackId === 'string') return playbackId;
  throw new Blocked('a stream that shows its playbackId');
}

/** The request that ends a stream. */
export function terminationOf(id: string): Call {
  return { method: 'DELETE', path: `${streamPath(id)}/terminate` };
}

/** The response to the end of a stream that is not live. */
export const termination: Question<TargetResponse> = async (context) => {
  const { id } = await newStream(context);
  return context.send(terminationOf(id));
};

/** Whether streams are ended; a service that has the operation may refuse one that is not live. */
export const offersTermination: Question<'offered' | Refusal> = async (context) => {
  const ofIdle = await context.ask(termination);
  if (isSuccess(ofIdle)) return 'offered';
  const stream = await newStream(context);
  await liveStream(context, stream);
  const ofLive = await context.send(terminationOf(stream.id));
  return refuseAlike(ofIdle, ofLive) ? readRefusal(ofLive) : 'offered';
};

/** Whether players are told where a stream is. */
export const offersPlayback: Question<'offered' | Refusal> = async (context) => {
  const playbackId = playbackIdOf(await context.ask(anyStream));
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
