import { readMp4 } from '../media/mp4.ts';
import {
  fetchPlaylist,
  fetchRenditions,
  type MultivariantPlaylist,
  type RecordedRendition,
  type Renditions,
} from '../media/playlist.ts';
import { isSegment } from '../media/segment.ts';
import { expectField, expectStatus, fail, type JsonObject, show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import { addressOf, type MediaAddress } from '../target/fetch-media.ts';
import type { CheckContext } from './check-context.ts';

/** Expects an http or https address in a field, and returns it. */
export function expectAddress(session: JsonObject, field: 'recordingUrl' | 'mp4URL'): string {
  const address = session[field];
  const expected = 'an http or https address';
  if (typeof address !== 'string') expectField(session, field, expected, isAddress);
  else if (!isAddress(address)) {
    // Only the beginning is quoted: whole addresses differ between sessions, and one cause has one message.
    fail(
      `${field}: expected ${expected}, got one that begins with ${show(address.slice(0, 8))}`,
      session,
    );
  }
  return String(address);
}

function isAddress(value: unknown): boolean {
  return (
    typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  );
}

/** Expects the duration of a recording, and returns it, in seconds. */
export function expectDuration(session: JsonObject): number {
  const field = 'sourceSegmentsDuration';
  const isDuration = (value: unknown): boolean => typeof value === 'number' && value > 0;
  expectField(session, field, 'a number above 0, in seconds', isDuration);
  return Number(session[field]);
}

/** Expects that every segment of the renditions is media (if there are very many, the first). */
export async function expectSegments(
  context: CheckContext,
  { fetched, count }: Renditions,
): Promise<void> {
  if (fetched.length < count) {
    context.observe(`MEDIA-2 fetched ${fetched.length} of ${count} renditions`);
  }
  for (const { initializations, segments, segmentCount, response } of fetched) {
    const { shown } = response;
    if (segments.length === 0) fail(`playlist ${shown}: expected segments, got none`, response);
    if (segments.length < segmentCount) {
      context.observe(`MEDIA-2 fetched ${segments.length} of ${segmentCount} segments of ${shown}`);
    }
    const isEncrypted = /^#EXT-X-KEY:(?!METHOD=NONE)/m.test(response.text);
    for (const part of [...initializations, ...segments]) {
      await expectMedia(context, part, isEncrypted);
    }
  }
}

async function expectMedia(
  { media }: CheckContext,
  address: MediaAddress,
  isEncrypted: boolean,
): Promise<void> {
  let length = 0;
  const response = await media(address, { onChunk: (chunk) => (length += chunk.length) });
  if (response.status !== 200 && response.status !== 206) {
    fail(`${address.shown}: expected status 200, got ${response.status}`, response);
  }
  if (length === 0) fail(`${address.shown}: expected bytes, got none`, response);
  // Hosts often answer a missing file with an HTML page.
  if (/^\s*<(!doctype|html)/i.test(response.text)) {
    fail(`${address.shown}: expected media, got a page of HTML`, response);
  }
  if (!isEncrypted && !isSegment(response.bytes, length)) {
    fail(
      `${address.shown}: expected a segment of MPEG-TS, fragmented MP4, packed audio or WebVTT, got something else`,
      response,
    );
  }
}

/** Expects that each rendition lasts as long as the session says, to within one of its segments. */
export function expectSameDuration(
  session: JsonObject,
  renditions: readonly RecordedRendition[],
): void {
  const expected = expectDuration(session);
  for (const { duration, tolerance, response } of renditions) {
    if (Math.abs(duration - expected) > tolerance) {
      fail(
        `sourceSegmentsDuration: expected the duration of the playlist, ${duration} s, within one segment (${tolerance} s), got ${expected} s`,
        response,
        session,
      );
    }
  }
}

/** Expects that the MP4 of a session lasts as long as the session says, to within one segment. */
export async function expectWholeMp4(context: CheckContext, session: JsonObject): Promise<void> {
  const expected = expectDuration(session);
  const { fetched } = await fetchRenditionsOf(context, session);
  const tolerance = Math.max(...fetched.map((rendition) => rendition.tolerance));
  const { duration, response } = await fetchMp4(context, session);
  if (duration === 0) throw new Blocked('an MP4 whose header states how long its fragments are');
  if (Math.abs(duration - expected) <= tolerance) return;
  // If the playlist disagrees as well, the cause is the same, and so must be the message.
  expectSameDuration(session, fetched);
  fail(
    `mp4URL: expected a file of ${expected} s (sourceSegmentsDuration), within one segment (${tolerance} s), got ${duration} s`,
    response,
    session,
  );
}

/** Expects an MP4 at the address of a session; its duration is in seconds. */
export const fetchMp4: OfSession<{ readonly duration: number; readonly response: object }> =
  onceForSession(async ({ media }, session) => {
    const reader = readMp4();
    const address = addressOf(session, expectAddress(session, 'mp4URL'));
    const response = await media(address, { onChunk: reader.take });
    expectStatus(response, 200, 'mp4URL');
    return { duration: reader.duration(response), response };
  });

/** The playlist at the address of a session. */
export const fetchPlaylistOf: OfSession<MultivariantPlaylist | RecordedRendition> = onceForSession(
  ({ media }, session) => {
    const address = addressOf(session, expectAddress(session, 'recordingUrl'));
    return fetchPlaylist(media, address, 'recordingUrl');
  },
);

/** The renditions behind the address of a session. */
export const fetchRenditionsOf: OfSession<Renditions> = onceForSession(async (context, session) =>
  fetchRenditions(context.media, await fetchPlaylistOf(context, session)),
);

type OfSession<Value> = (context: CheckContext, session: JsonObject) => Promise<Value>;

/** Fetches media once in a run, as it is large: all checks get the same object for a session. */
function onceForSession<Value>(fetch: OfSession<Value>): OfSession<Value> {
  const fetched = new WeakMap<JsonObject, Promise<Value>>();
  return (context, session) => {
    const value = fetched.get(session) ?? fetch(context, session);
    fetched.set(session, value);
    return value;
  };
}

/** Expects that both addresses of a session play from beginning to end. */
export async function expectPlayable(context: CheckContext, session: JsonObject): Promise<true> {
  const renditions = await fetchRenditionsOf(context, session);
  await expectSegments(context, renditions);
  expectSameDuration(session, renditions.fetched);
  await expectWholeMp4(context, session);
  return true;
}
