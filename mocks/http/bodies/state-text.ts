import type { Snapshot } from '../../service/snapshot.ts';

/** Records that are written at once, and characters of a piece: a few milliseconds of work each. */
const [recordsAtOnce, pieceLength] = [100, 256 * 1024];

/** The JSON of a state, the same as from `JSON.stringify`, in short pieces. */
export function* stateText(state: Snapshot): Generator<string, undefined> {
  let text = '';
  for (const token of tokens(state)) {
    text += token;
    if (text.length < pieceLength) continue;
    yield text;
    text = '';
  }
  yield text;
}

function* tokens(state: Snapshot): Generator<string> {
  let before = '{';
  for (const [key, value] of Object.entries(state)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    if (Array.isArray(value)) yield* arrayTokens(value);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield '}';
}

function* arrayTokens(items: readonly unknown[]): Generator<string> {
  yield '[';
  for (let at = 0; at < items.length; at += recordsAtOnce) {
    const text = JSON.stringify(items.slice(at, at + recordsAtOnce));
    yield (at === 0 ? '' : ',') + text.slice(1, -1);
  }
  yield ']';
}
