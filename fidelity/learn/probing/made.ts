import { encoderOf } from '../../../target/providers/provider.ts';
import type { JsonObject } from '../../../target/requests/read-response.ts';
import { setOwnRecord } from '../../../target/streams/stream-requests.ts';
import { textOf } from '../../json-shapes.ts';
import { makeSession, readySession } from './probed-sessions.ts';
import { anyStream, currentStream, newStream } from './probed-streams.ts';
import { need, type ProbeContext } from './prober.ts';
import { spelling } from './spelling.ts';

/** What a request can name of what the run makes. */
export const placeholders = ['id', 'sessionId', 'playbackId', 'streamKey'] as const;
export type Placeholder = (typeof placeholders)[number];

export function isPlaceholder(name: string): name is Placeholder {
  return placeholders.some((placeholder) => placeholder === name);
}

/** What a run has made, by the placeholders that name it: all of it belongs to one stream. */
export type Made = Readonly<Partial<Record<Placeholder, string>>>;

/** What a request that only reads can name. @throws Blocked without it */
export async function madeForReading(
  context: ProbeContext,
  names: readonly Placeholder[],
): Promise<Made> {
  if (names.length === 0) return {};
  const made = await pickToRead(context, names);
  // It lets everybody go live, so that of a user's own stream goes into no path.
  const isOwn = made.streamKey === undefined || context.target.gate.names(made.streamKey);
  need(isOwn, 'a streamKey of this run: leave out --read-only and --recorded-stream');
  return made;
}

async function pickToRead(context: ProbeContext, names: readonly Placeholder[]): Promise<Made> {
  if (!names.includes('sessionId')) return pick(context, names, await context.ask(anyStream));
  const { streamId, session } = await context.ask(readySession);
  return pick(context, names, await currentStream(context, streamId), session);
}

/**
 * What a request that writes can name: a stream or session of its own.
 * @throws Blocked without it, or if it may mean something that this run did not make
 */
export async function madeForWriting(
  context: ProbeContext,
  names: readonly Placeholder[],
): Promise<Made> {
  if (names.length === 0) return {};
  const needsSession = names.includes('sessionId');
  if (needsSession) encoderOf(context);
  const stream = await newStream(context);
  if (needsSession) await setOwnRecord(context.arrange, stream.id, true, 0);
  const session = needsSession ? await makeSession(context, stream) : undefined;
  const made = await pick(context, names, stream.fields, session);
  for (const name of names) {
    const isOwn = context.target.gate.names(made[name]);
    need(isOwn, `a ${name} that names nothing but what this run made`);
  }
  return made;
}

async function pick(
  context: ProbeContext,
  names: readonly Placeholder[],
  stream: JsonObject,
  session?: JsonObject,
): Promise<Made> {
  const spellings = names.some((name) => name !== 'id') ? await context.ask(spelling) : {};
  const values = { id: stream['id'], sessionId: session?.['id'] };
  const entries = names.map((name) => {
    const key = name === 'playbackId' ? (spellings.playbackId ?? name) : name;
    const value = name in values ? values[name as keyof typeof values] : stream[key];
    return [name, textOf(need(value ?? undefined, `a ${name} of this run: none was shown`))];
  });
  return Object.fromEntries(entries);
}
