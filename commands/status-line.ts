import type { Output } from './process.ts';

/** A line on a terminal that is overwritten, and erased at the end. */
export interface StatusLine {
  /** Replaces the text; an empty one erases it. */
  show(text: string): void;
  /** Erases it for good. */
  end(): void;
}

/** A status line on `stream`; where that is no terminal, nothing is written. */
export function createStatusLine(stream: Output): StatusLine {
  let shown = '';
  let ended = !stream.isTTY;
  const show = (text: string): void => {
    if (ended || text === shown) return;
    shown = text;
    stream.write(`\r\u001b[2K${text}`);
  };
  return {
    show,
    end() {
      show('');
      ended = true;
    },
  };
}
