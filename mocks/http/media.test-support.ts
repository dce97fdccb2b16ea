import { parse, types } from 'hls-parser';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { createMock } from '../mock.ts';
import type { World } from '../service/testers/world-handle.ts';

/** Opens a mock whose recordings are ready when their session ends. */
export async function openMediaWorld() {
  const mock = createMock({ recordingDelay: 0 });
  /** Sends a request without a key, as a player does. */
  const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
    mock.fetch(new Request(url, { headers }));
  return { mock, world: await mock.world(), get };
}

/** Records a session of a number of seconds. */
export async function record(world: World, duration: number) {
  const profiles = [...recommendedProfiles];
  const { id } = await world.createStream({ name: 'a', record: true, profiles });
  const session = await world.start(id, { duration });
  const { recordingUrl, mp4Url } = session;
  if (recordingUrl === undefined || mp4Url === undefined) throw new Error('it is not ready');
  return { session, playlistUrl: recordingUrl, mp4Url };
}

/** Reads a response as a multivariant playlist. */
export async function readMultivariant(answer: Response): Promise<types.MasterPlaylist> {
  const playlist = parse(await answer.text());
  if (playlist instanceof types.MasterPlaylist) return playlist;
  throw new Error(`${answer.url} is not a multivariant playlist`);
}

/** Reads a response as a media playlist. */
export async function readMedia(answer: Response): Promise<types.MediaPlaylist> {
  const playlist = parse(await answer.text());
  if (playlist instanceof types.MediaPlaylist) return playlist;
  throw new Error(`${answer.url} is not a media playlist`);
}

/** The total seconds of a playlist's segments. */
export function sumOfSegments({ segments }: types.MediaPlaylist): number {
  return segments.reduce((sum, { duration }) => sum + duration, 0);
}

/** Every address in a media playlist, with that of the initialization segment first. */
export function addressesIn({ segments }: types.MediaPlaylist, playlistUrl: string): string[] {
  const names = segments.flatMap(({ map, uri }) => [map.uri, uri]);
  return [...new Set(names)].map((name) => new URL(name, playlistUrl).href);
}
