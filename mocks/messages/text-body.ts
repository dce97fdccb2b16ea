import { nextTurn } from './next-turn.ts';
import type { PlainResponse } from './response.ts';

/** Characters of a piece: a few milliseconds of work. */
const pieceLength = 256 * 1024;

/**
 * A body whose text is written while it is sent, a piece in each turn of the event loop, so that other
 * requests are answered meanwhile and the whole is never in memory. A short one is sent like any other.
 */
export function textBody(texts: Iterator<string, void>): PlainResponse['body'] {
  // Taken at once, so that what the texts come from is read in the moment of the request.
  let piece = takePiece(texts);
  if (piece.length < pieceLength) return [piece];
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await nextTurn();
        if (piece === '') return controller.close();
        controller.enqueue(encoder.encode(piece));
        piece = takePiece(texts);
      },
    },
    { highWaterMark: 0 },
  );
}

function takePiece(texts: Iterator<string, void>): string {
  let piece = '';
  while (piece.length < pieceLength) {
    const { value, done } = texts.next();
    if (done) break;
    piece += value;
  }
  return piece;
}
