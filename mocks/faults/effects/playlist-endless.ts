import type { PlainResponse } from '../../messages/response.ts';
import { openBody, replaceBody } from './body.ts';
import type { Effect, RequestFault } from './effect.ts';

/** The playlist of a recording lacks its end. */
export type PlaylistEndlessFault = RequestFault<
  'playlist-endless',
  'recordingPlaylist' | 'recordingRendition'
>;

export const playlistEndless: Effect<PlaylistEndlessFault> = {
  summary: 'The playlist of a recording lacks its end.',
  sentence: (_, target) => `Leave out the end of the playlist of ${target}`,
  operations: ['recordingPlaylist', 'recordingRendition'],
  fields: {},
  needsBody: true,
  respond: async (_, { carryOut }) => removeEnd(await carryOut(true)),
};

/** Removes the tag that ends a media playlist, so that players expect more to come. */
export async function removeEnd(whole: PlainResponse): Promise<PlainResponse> {
  if (whole.status !== 200) return whole;
  const { read } = openBody(whole);
  const decoder = new TextDecoder();
  let text = '';
  for (let piece = await read(); piece !== undefined; piece = await read()) {
    text += decoder.decode(piece, { stream: true });
  }
  const bytes = new TextEncoder().encode(text.replace('#EXT-X-ENDLIST\n', ''));
  const { etag: _, ...headers } = whole.headers;
  return replaceBody({ ...whole, headers }, bytes, bytes.length);
}
