import type { MediaRouteName } from '../../interface/operation-names.ts';
import type { SessionRecord } from '../../interface/types.ts';
import { answerFaulty } from '../faults/answer-faulty.ts';
import type { PlainResponse } from '../messages/response.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import type { WorldState } from '../service/world.ts';
import { type App, enterWorld, noteFault, type RequestContext } from './context.ts';
import { mediaHandlers } from './media-handlers.ts';

/**
 * The response to a request for media, whose parameters tell its world.
 * @throws Problem 404 when no world has that media.
 */
export async function mediaResponse(
  { worlds }: App,
  context: RequestContext,
  name: MediaRouteName,
  parameters: Readonly<Record<string, string>>,
): Promise<PlainResponse> {
  const { playbackId, sessionId, rendition = 'source', file = '' } = parameters;
  const find = (world: WorldState) => findMediaSession(world, { playbackId, sessionId });
  const world = await worlds.find((candidate) => find(candidate) !== undefined);
  const session = world && find(world);
  if (world === undefined || session === undefined) {
    throw new Problem('unknown', {
      path: 'path',
      expected: 'media of a session that this mock knows',
      got: describeValue(context.url.pathname),
    });
  }
  enterWorld(context, world);
  const id = playbackId ?? session.id;
  const carryOut = (afresh = false): Promise<PlainResponse> => {
    // Without its headers, so that the response is whole and not a part or a 304.
    const request = afresh ? new Request(context.request.url) : context.request;
    return mediaHandlers[name]({ request, world, session, rendition, file });
  };
  const { request } = context;
  const target = { operation: name, method: request.method, id, file };
  const { faults, clock } = world;
  return answerFaulty({ faults, clock, request, carryOut, onFault: noteFault(context) }, target);
}

/**
 * The session that an address names: by its own id; or by a playback id, the live session or else the
 * latest one.
 */
function findMediaSession(
  { state: { records } }: WorldState,
  address: { readonly playbackId?: string | undefined; readonly sessionId?: string | undefined },
): SessionRecord | undefined {
  const { playbackId, sessionId } = address;
  if (playbackId === undefined) return records.session(sessionId ?? '');
  const stream = records.streamByPlaybackId(playbackId);
  const latest =
    stream && (records.liveSession(stream.id) ?? records.sessionsOf(stream.id).rows.at(-1)?.record);
  return sessionId === undefined || sessionId === latest?.id ? latest : undefined;
}
