import { unlessPrevented } from '../../target/requests/failure.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { expectListed, isIn, isReady } from '../../target/streams/recorded-list.ts';
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
  const lists = [
    { streamId, sessions, hasProfiles: true },
    { streamId: switched?.stream.id, sessions: onAgain?.sessions, hasProfiles: true },
    { streamId: plain?.stream.id, sessions: plain?.sessions, hasProfiles: false },
    { streamId: several?.stream.id, sessions: several?.sessions, hasProfiles: false },
  ];
  return lists.flatMap(({ streamId, sessions = [], hasProfiles }) =>
    streamId === undefined ? [] : sessions.map((session) => ({ streamId, hasProfiles, session })),
  );
}

/** Each session of {@link listedSessions} that is ready, once. @throws Blocked if none is. */
export async function readySessions(context: CheckContext): Promise<readonly JsonObject[]> {
  await context.recording('any');
  const sessions = (await listedSessions(context)).map(({ session }) => session);
  return sessions.filter(
    (session, index) => isReady(session) && !isIn(session, sessions.slice(0, index)),
  );
}
