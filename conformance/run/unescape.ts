/** A text with escapes undone, and where its characters and its end were in the original. */
export interface View {
  readonly text: string;
  /** Absent if the text is the original. */
  readonly origins?: readonly number[];
}

const unescapedAtMost = 8;
const escapes =
  /(?:\\+(?:u00|x)|%)([\da-f]{2})|&#x0*([\da-f]{2});|&#0*(\d{2,3});|&(amp|apos|gt|lt|quot);|\\+|'(?=')/gi;
const entities: Record<string, string> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };

/**
 * A text as it is, and with its escapes undone once, twice and so on. Backslashes are removed, and of
 * single quotes in a row (`'\''` for a shell) one remains. Keys get the same treatment.
 */
export function unescaped(text: string): View[] {
  const views: View[] = [{ text }];
  for (let view = views[0]; view && views.length <= unescapedAtMost; ) {
    view = unescapeOnce(view);
    if (view) views.push(view);
  }
  return views;
}

function unescapeOnce({ text, origins }: View): View | undefined {
  if (text.search(escapes) < 0) return undefined;
  const moved: number[] = [];
  let result = '';
  let end = 0;
  const copy = (to: number): void => {
    for (let at = end; at < to; at++) moved.push(origins?.[at] ?? at);
    result += text.slice(end, to);
  };
  for (const match of text.matchAll(escapes)) {
    copy(match.index);
    const [written, hex, entityHex = hex, decimal, name = ''] = match;
    const code = entityHex === undefined ? Number(decimal) : Number.parseInt(entityHex, 16);
    const character = code > 0 ? String.fromCharCode(code) : (entities[name.toLowerCase()] ?? '');
    if (character !== '') moved.push(origins?.[match.index] ?? match.index);
    result += character;
    end = match.index + written.length;
  }
  copy(text.length);
  moved.push(origins?.[text.length] ?? text.length);
  return { text: result, origins: moved };
}
