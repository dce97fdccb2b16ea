import { parse, setOptions, type types } from 'hls-parser';

// It would write its warnings to the console.
setOptions({ silent: true });

/** A parsed playlist: of renditions, or of segments. */
type ParsedPlaylist = types.MasterPlaylist | types.MediaPlaylist;

/** Parses a playlist. A file of its own, because it is loaded when there is one to read. @throws Error */
export function parseHls(text: string): ParsedPlaylist {
  return parse(text) as ParsedPlaylist;
}
