import { type Signal, signal } from '@preact/signals';
import type { PlaybackInfo } from '../../interface/schemas.ts';
import type { Session, Stream } from '../../interface/types.ts';
import type { Moment } from '../service/moments.ts';
import { type Api, type Beginning, loadPages, pageLength, Refusal } from './state/api.ts';
import { createSource, listen, type Source } from './state/connection.ts';
import { prefix, streamInAddress } from './state/page.ts';

/** The stream on show beside the list. */
export interface ShownStream {
  readonly stream: Stream;
  readonly sessions: Beginning<Session>;
  readonly moments: readonly Moment[];
  /** Where a player finds it while it is live. Media may have another origin than the page. */
  readonly livePlaylist: string;
}

/** The list of streams, and the one beside it. */
export interface Shown {
  readonly list: Beginning<Stream>;
  readonly chosen: ShownStream | undefined;
}

/** The stream that was asked for. If none was, or if it is gone, the page chooses one. */
let wanted = streamInAddress;

type ListName = 'streams' | 'sessions';

/** How much of each list is loaded. */
const lengths: Record<ListName, number> = { streams: pageLength, sessions: pageLength };

/** The list of streams, and the stream beside it. */
export const shown: Source<Shown> = createSource(['state', 'clock'], async (api) => {
  const list = await loadPages<Stream>(api, `${prefix}/stream`, lengths.streams);
  const asked = wanted;
  const stream = await find(api, list, asked);
  // It stays on show whatever begins elsewhere, unless another was chosen meanwhile.
  if (wanted === asked) wanted = stream?.id;
  return { list, chosen: stream && (await loadChosen(api, stream)) };
});

listen({
  left: () => {
    // The address of the page names a stream of the first world.
    if (shown.value !== undefined) wanted = undefined;
    lengths.streams = pageLength;
    lengths.sessions = pageLength;
  },
});

/** Whether the list is unfolded, on a narrow screen. */
export const listIsOpen: Signal<boolean> = signal(false);

/** Shows a stream, and moves the focus to its name. */
export async function choose(id: string): Promise<void> {
  wanted = id;
  lengths.sessions = pageLength;
  await shown.refresh();
  listIsOpen.value = false;
  document.getElementById('stream-heading')?.focus();
}

/** Loads more of a list. The promise settles when it is on show. */
export function lengthen(list: ListName): Promise<void> {
  lengths[list] += pageLength;
  return shown.refresh();
}

async function find(
  api: Api,
  { records, isWhole }: Beginning<Stream>,
  id: string | undefined,
): Promise<Stream | undefined> {
  const listed = records.find((stream) => stream.id === id);
  // What is live, else what was recorded last, else the newest.
  const isRecorded = (stream: Stream) => stream.record && stream.sourceSegments > 0;
  const choice = records.find(({ isActive }) => isActive) ?? records.find(isRecorded) ?? records[0];
  if (listed !== undefined || id === undefined || isWhole) return listed ?? choice;
  return (await unlessMissing(api.call<Stream>(`GET ${prefix}/stream/${id}`))) ?? choice;
}

async function loadChosen(api: Api, stream: Stream): Promise<ShownStream | undefined> {
  const { id, playbackId, createdAt } = stream;
  const loading = [
    loadPages<Session>(api, `${prefix}/stream/${id}/sessions`, lengths.sessions),
    api.call<Moment[]>('GET /_mock/moments'),
    api.call<PlaybackInfo>(`GET ${prefix}/playback/${playbackId}`),
  ] as const;
  const loaded = await unlessMissing(Promise.all(loading));
  if (loaded === undefined) return undefined;
  const [sessions, moments, playback] = loaded;
  const isOf = (moment: Moment): boolean =>
    moment.kind === 'clock' ? moment.to > createdAt : moment.streamId === id;
  const livePlaylist = playback.meta.source[0]?.url ?? '';
  return { stream, sessions, moments: moments.filter(isOf), livePlaylist };
}

/** A stream may be deleted at any moment; the list that is loaded next will be without it. */
function unlessMissing<Value>(loading: Promise<Value>): Promise<Value | undefined> {
  return loading.catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  });
}
