import { show } from '../../text/phrases.ts';

/** How many bytes of a body that is not text are shown: enough to tell its format. */
const bytesShown = 16;

/** The beginning of a body as a report shows it. Of media and other files that are not text, it says how they begin. */
export function showBody(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (isText(text)) return text;
  const first = Array.from(bytes.subarray(0, bytesShown), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return `(not text; it begins with the bytes ${first.join(' ')})`;
}

/** How a message quotes the beginning of a body. */
export function quoteBody(text: string, longest: number = 100): string {
  const beginning = text.slice(0, longest);
  return isText(beginning) ? show(beginning) : 'bytes that are not text';
}

/** No text has a zero character, and hardly any other file is without one, whatever its format. */
function isText(text: string): boolean {
  return !text.includes('\0');
}
