import { unlessPrevented } from '../../target/requests/failure.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { expectListed, isIn, isReady } from '../../target/streams/recorded-list.ts';
import { sendsProfiles } from '../sessions/shared-sessions.ts';
import type { CheckContext } from './check-context.ts';

/** A session and the stream whose list showed it. */
export interface ListedSession {
  readonly streamId: string;
  /** Whether its stream has profiles, as far as the run knows. */
  readonly hasProfiles: boolean;
  readonly session: JsonObject;
}

/**
 * Every recorded session that the run has seen, ready or not, as its stream's list showed it: those of the given stream,
 * or those that were made on three streams. A mistake may show only in the second session of a stream.
 * @throws Blocked if none was listed.
 */
export async function listedSessions(context: CheckContext): Promise<readonly ListedSession[]> {
  const { streamId, sessions } = await context.listing();
  expectListed(sessions);
  const { switched, onAgain, plain } = (await unlessPrevented(context.history())) ?? {};
  const several = await unlessPrevented(context.severalSessions());
  const listed = sessions.map((session) => ({ streamId, hasProfiles: true, session }));
  const later = [
    { stream: switched?.stream, sessions: onAgain?.sessions },
    { stream: plain?.stream, sessions: plain?.sessions },
    { stream: several?.stream, sessions: several?.sessions },
  ].flatMap(({ stream, sessions = [] }) =>
    sessions.flatMap((session) =>
      stream === undefined
        ? []
        : [{ streamId: stream.id, hasProfiles: sendsProfiles(stream), session }],
    ),
  );
  return [...listed, ...later];
}

/** Each session of {@link listedSessions} that is ready, once. @throws Blocked if none is. */
export async function readySessions(context: CheckContext): Promise<readonly JsonObject[]> {
  await context.recording('any');
  const sessions = (await listedSessions(context)).map(({ session }) => session);
  return sessions.filter(
    (session, index) => isReady(session) && !isIn(session, sessions.slice(0, index)),
  );
}
