/** A line on a terminal that is written over, and not there any more in the end. */
export interface StatusLine {
  /** Writes a text in place of the one before; an empty one erases it. */
  show(text: string): void;
  /** Erases it for good. */
  end(): void;
}

/** A line at the end of `stream`; nothing is written where no person looks. */
export function createStatusLine(stream: NodeJS.WriteStream): StatusLine {
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
