import { type Signal, signal } from '@preact/signals';
import type { PlaybackInfo } from '../../interface/schemas.ts';
import type { Session, Stream } from '../../interface/types.ts';
import type { Moment } from '../state/moment.ts';
import { focusCard } from './controls.tsx';
import { api, RefusedError } from './page-state/api.ts';
import { createSource, type Source } from './page-state/connection.ts';
import { prefix, streamInAddress } from './page-state/page.ts';

/** The stream that is displayed next to the list. */
export interface ChosenStream {
  readonly stream: Stream;
  readonly sessions: readonly Session[];
  /** What happened to it and to the clock, oldest first. */
  readonly moments: readonly Moment[];
  /** Where a player finds it while it is live. Media may have a different origin from the page. */
  readonly livePlaylist: string;
}

/** The list of streams, and the one chosen from it. */
export interface StreamChoice {
  readonly list: readonly Stream[];
  readonly chosen: ChosenStream | undefined;
}

/** The longest list that the service returns. */
export const maxListed = 1000;

/** The id of the requested stream. If there is none, or it is gone, the page chooses one. */
let requestedId = streamInAddress;

/** Which streams to list, as a query of the interface. */
export const listQuery: Signal<URLSearchParams> = signal(new URLSearchParams());

/** The list of streams, newest first, and the stream chosen from it. */
export const streamChoice: Source<StreamChoice> = createSource(['state', 'clock'], async () => {
  const list = await api.call<Stream[]>(
    `GET ${prefix}/stream?limit=${maxListed}&${listQuery.value}`,
  );
  const idAtStart = requestedId;
  const stream = await pick(list, idAtStart);
  // It stays chosen when another goes live, unless the user chose another in the meantime.
  if (requestedId === idAtStart) requestedId = stream?.id;
  return { list, chosen: stream && (await loadChosen(stream)) };
});

/** Shows a stream, and moves the focus to its name. */
export async function choose(id: string): Promise<void> {
  requestedId = id;
  await streamChoice.refresh();
  focusCard('stream');
}

async function pick(list: readonly Stream[], id: string | undefined): Promise<Stream | undefined> {
  const listed = list.find((stream) => stream.id === id);
  // A live stream, or else the newest recorded one, or else the newest.
  const isRecorded = (stream: Stream) => stream.record && stream.sourceSegments > 0;
  const fallback = list.find(({ isActive }) => isActive) ?? list.find(isRecorded) ?? list[0];
  const isComplete = list.length < maxListed && listQuery.value.size === 0;
  if (listed !== undefined || id === undefined || isComplete) return listed ?? fallback;
  return (await unlessMissing(api.call<Stream>(`GET ${prefix}/stream/${id}`))) ?? fallback;
}

async function loadChosen(stream: Stream): Promise<ChosenStream | undefined> {
  const { id, playbackId, createdAt, suspended } = stream;
  const loading = [
    api.call<Session[]>(`GET ${prefix}/stream/${id}/sessions?limit=${maxListed}`),
    api.call<Moment[]>('GET /_mock/moments'),
    // A suspended stream has no playback.
    suspended ? undefined : api.call<PlaybackInfo>(`GET ${prefix}/playback/${playbackId}`),
  ] as const;
  const details = await unlessMissing(Promise.all(loading));
  if (details === undefined) return undefined;
  const [sessions, moments, playback] = details;
  const isOf = (moment: Moment): boolean =>
    moment.kind === 'clock' ? moment.to > createdAt : moment.streamId === id;
  const livePlaylist = playback?.meta.source[0]?.url ?? '';
  return { stream, sessions, moments: moments.filter(isOf), livePlaylist };
}

/** A stream may be deleted at any time; the next list will not contain it. */
function unlessMissing<Value>(loading: Promise<Value>): Promise<Value | undefined> {
  return loading.catch((exception: unknown) => {
    if (exception instanceof RefusedError && exception.status === 404) return undefined;
    throw exception;
  });
}
