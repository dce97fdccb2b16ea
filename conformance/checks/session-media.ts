import { type MediaAddress, mediaAddressOf } from '../../target/media/fetch-media.ts';
import {
  fetchPlaylist,
  fetchRenditions,
  type MultivariantPlaylist,
  type RecordedRendition,
  type Renditions,
  type Size,
} from '../../target/media/fetch-playlist.ts';
import { readMp4 } from '../../target/media/read-mp4.ts';
import { expectStatus } from '../../target/requests/expectations.ts';
import { asPrecondition, CheckFailure, expectOfEach, fail } from '../../target/requests/failure.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { isReady } from '../../target/streams/recorded-list.ts';
import { firstOf, show } from '../../text/phrases.ts';
import { isSegment } from '../media/segment-format.ts';
import type { CheckContext } from './check-context.ts';
import { expectAddress, expectDuration } from './shown-fields.ts';

/** Expects every segment that is fetched to be media. */
export async function expectSegments(
  context: CheckContext,
  { fetched, count }: Renditions,
): Promise<void> {
  if (fetched.length < count) {
    context.addObservation(`MEDIA-2 fetched ${fetched.length} of ${count} renditions`);
  }
  await expectOfEach(fetched, async ({ initializations, segments, segmentCount, response }) => {
    const { label } = response;
    if (segments.length === 0) fail(`playlist ${label}: expected segments, got none`, response);
    if (segments.length < segmentCount) {
      context.addObservation(
        `MEDIA-2 fetched ${segments.length} of ${segmentCount} segments of ${label}`,
      );
    }
    const isEncrypted = /^#EXT-X-KEY:(?!METHOD=NONE)/m.test(response.text);
    await expectOfEach([...initializations, ...segments], (address) =>
      expectMedia(context, address, isEncrypted),
    );
  });
}

async function expectMedia(
  { media }: CheckContext,
  address: MediaAddress,
  isEncrypted: boolean,
): Promise<void> {
  let length = 0;
  const response = await media(address, { onChunk: (chunk) => (length += chunk.length) });
  expectStatus(response, 200, address.label);
  if (isEncrypted ? length > 0 : isSegment(response.bytes)) return;
  // For a missing file, hosts often send an HTML page.
  const got = length === 0 ? 'nothing' : 'something else';
  fail(
    `${address.label}: expected a segment of MPEG-TS, fragmented MP4, packed audio or WebVTT, got ${got}`,
    response,
  );
}

/** Expects that sourceSegmentsDuration is the duration of each rendition in seconds, to within one of its segments. */
export async function expectSeconds(
  session: JsonObject,
  renditions: readonly RecordedRendition[],
): Promise<void> {
  const shown = expectDuration(session);
  await expectOfEach(renditions, ({ duration, tolerance, response }) => {
    if (Math.abs(duration - shown) <= tolerance) return;
    fail(
      `sourceSegmentsDuration: expected the seconds of the playlist, ${duration}, within one segment (${tolerance} s), got ${shown}`,
      response,
      session,
    );
  });
}

/**
 * Expects that sourceSegmentsDuration is the duration of the playlist, to within a second, in at least one session: what
 * is left out of all, such as the last segment, is left out on purpose.
 */
export async function expectWholeDuration(
  context: CheckContext,
  sessions: readonly JsonObject[],
): Promise<void> {
  const differing: { readonly words: string; readonly session: JsonObject }[] = [];
  for (const session of sessions) {
    const { shown, fetched } = await asPrecondition(
      'reading the duration of a recording',
      async () => ({
        shown: expectDuration(session),
        fetched: (await fetchRenditionsOf(context, session)).fetched,
      }),
      'LIST-14 and MEDIA-1',
    );
    const isWhole = fetched.some(
      ({ duration, rounding }) =>
        Math.abs(duration - shown / unitOf(shown, duration)) < 1 + rounding,
    );
    if (isWhole) return;
    const words = `${shown} for a playlist of ${fetched[0]?.duration} s`;
    differing.push({ words, session });
  }
  const [first, ...others] = differing;
  if (first === undefined) return;
  fail(
    `sourceSegmentsDuration: expected the duration of the playlist, within a second, in at least one session, got ${firstOf(
      differing.map(({ words }) => words),
      5,
    ).join(', ')}`,
    first.session,
    ...others.map(({ session }) => session),
  );
}

/** How many units a second has: seconds, milliseconds and so on, whichever is nearest. */
function unitOf(shown: number, seconds: number): number {
  return 1_000 ** Math.round(Math.log(shown / seconds) / Math.log(1_000));
}

/**
 * Expects that one factor relates sourceSegmentsDuration to the duration of the playlist in all sessions, to within a
 * segment each. The interface states no unit, so any factor will do.
 */
export async function expectOneFactor(
  context: CheckContext,
  sessions: readonly JsonObject[],
): Promise<void> {
  let least: FactorBound = { factor: 0 };
  let most: FactorBound = { factor: Number.POSITIVE_INFINITY };
  for (const session of sessions) {
    const shown = expectDuration(session);
    const { fetched } = await fetchRenditionsOf(context, session);
    expectEquallyLong(session, fetched);
    for (const rendition of fetched) {
      const { duration, tolerance } = rendition;
      const at = { session, rendition };
      const low = shown / (duration + tolerance);
      const high = duration > tolerance ? shown / (duration - tolerance) : Number.POSITIVE_INFINITY;
      if (low > least.factor) least = { factor: low, ...at };
      if (high < most.factor) most = { factor: high, ...at };
    }
  }
  if (least.factor <= most.factor || least.rendition === undefined) return;
  fail(
    `sourceSegmentsDuration: expected it to be in proportion to the duration of the playlist in all sessions, got ${describeBound(least)} and ${describeBound(most)}`,
    least.rendition.response,
    least.session,
    most.session,
    most.rendition?.response,
  );
}

/** Expects the renditions of one recording to be equally long, to within a segment each: no factor fits others. */
function expectEquallyLong(session: JsonObject, renditions: readonly RecordedRendition[]): void {
  const [shortest, ...others] = renditions.toSorted(
    (left, right) => left.duration + left.tolerance - (right.duration + right.tolerance),
  );
  const longer = others.find(
    ({ duration, tolerance }) =>
      shortest !== undefined && duration - tolerance > shortest.duration + shortest.tolerance,
  );
  if (shortest === undefined || longer === undefined) return;
  fail(
    `renditions of a recording: expected all to be equally long, within one segment, got ${longer.duration} s and ${shortest.duration} s`,
    shortest.response,
    longer.response,
    session,
  );
}

/** The least or the largest factor that a session allows. */
interface FactorBound {
  readonly factor: number;
  readonly session?: JsonObject;
  readonly rendition?: RecordedRendition;
}

function describeBound({ session, rendition }: FactorBound): string {
  return `${show(session?.['sourceSegmentsDuration'])} for a playlist of ${rendition?.duration} s`;
}

/** Expects that the MP4 of a session lasts as long as each rendition of its playlist, to within one segment. */
export async function expectWholeMp4(context: CheckContext, session: JsonObject): Promise<void> {
  const precondition = 'reading the addresses of the recording';
  await asPrecondition(precondition, () => expectAddress(session, 'recordingUrl'), 'LIST-12');
  await asPrecondition(precondition, () => expectAddress(session, 'mp4URL'), 'LIST-13');
  const { fetched } = await fetchRenditionsOf(context, session);
  const mp4 = await fetchMp4(context, session);
  await expectOfEach(fetched, ({ duration, tolerance, response }) => {
    if (Math.abs(mp4.duration - duration) <= tolerance) return;
    fail(
      `mp4URL: expected a file as long as the playlist, ${duration} s, within one segment (${tolerance} s), got ${mp4.duration} s`,
      mp4.response,
      response,
      session,
    );
  });
}

/** An MP4, with its duration in seconds and the size of its video, if that is known. */
interface FetchedMp4 {
  readonly duration: number;
  readonly size: Size | undefined;
  readonly response: object;
}

/** Expects an MP4 at the address of a session. */
export const fetchMp4: OfSession<FetchedMp4> = onceForSession(async ({ media }, session) => {
  const reader = readMp4();
  const address = mediaAddressOf(session, expectAddress(session, 'mp4URL'));
  return readAvailable(session, async () => {
    const response = await media(address, { onChunk: reader.take });
    expectStatus(response, 200, 'mp4URL');
    return { duration: reader.duration(response), size: reader.size(), response };
  });
});

/** The playlist at the address of a session. */
export const fetchPlaylistOf: OfSession<MultivariantPlaylist | RecordedRendition> = onceForSession(
  ({ media }, session) => {
    const address = mediaAddressOf(session, expectAddress(session, 'recordingUrl'));
    return readAvailable(session, () => fetchPlaylist(media, address, 'recordingUrl'));
  },
);

/** Reads what is at an address of a session. If it fails, the message adds that the session is shown as ready. */
async function readAvailable<Value>(
  session: JsonObject,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (exception) {
    if (!(exception instanceof CheckFailure && isReady(session))) throw exception;
    const mistakes = exception.mistakes.map(
      (mistake) => `${mistake}, although recordingStatus is "ready"`,
    );
    throw new CheckFailure(mistakes, exception.evidence);
  }
}

/** The renditions of the playlist at the address of a session. */
export const fetchRenditionsOf: OfSession<Renditions> = onceForSession(async (context, session) =>
  fetchRenditions(context.media, await fetchPlaylistOf(context, session)),
);

type OfSession<Value> = (context: CheckContext, session: JsonObject) => Promise<Value>;

/** Fetches media only once in a run, as it is large. All checks get the same object for a session. */
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
  expectDuration(session);
  await expectWholeMp4(context, session);
  return true;
}
