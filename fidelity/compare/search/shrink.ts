import type { Json } from '../../../interface/silent-row.ts';
import { isObject } from '../../json.ts';
import { isRequest, type Move } from '../moves/move.ts';

/** Whether a sequence still shows the difference. */
type Shows = (moves: readonly Move[]) => Promise<boolean>;

/** Sequences that are tried at most. */
const mostAttempts = 80;

/** A short sequence, and where its moves were in the one that it was made from. */
export interface Shrunk {
  readonly moves: readonly Move[];
  readonly indexes: readonly number[];
}

/** The shortest and simplest sequence that is found and still shows a difference. Its last move shows it. */
export async function shrink(moves: readonly Move[], shows: Shows): Promise<Shrunk> {
  let attempts = 0;
  const tries: Shows = async (candidate) => {
    attempts += 1;
    return attempts <= mostAttempts && shows(candidate);
  };
  const kept = await removeMoves(moves, tries);
  return {
    moves: await simplify(kept, tries),
    indexes: kept.map((move) => moves.indexOf(move)),
  };
}

/** Leaves out moves before the last: first all, then half of them, then ever smaller parts. */
async function removeMoves(moves: readonly Move[], shows: Shows): Promise<readonly Move[]> {
  let kept = moves;
  for (let size = kept.length - 1; size >= 1; size = Math.floor(size / 2)) {
    for (let end = kept.length - 1; end > 0; end -= size) {
      const shorter = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)];
      if (shorter.length < kept.length && (await shows(shorter))) kept = shorter;
    }
  }
  return kept;
}

/** Replaces moves by simpler ones, the last first. */
async function simplify(moves: readonly Move[], shows: Shows): Promise<readonly Move[]> {
  let kept = moves;
  for (let index = kept.length - 1; index >= 0; index--) {
    for (let changed = true; changed; ) {
      changed = false;
      for (const simpler of simplerMoves(kept[index] as Move)) {
        const candidate = kept.with(index, simpler);
        if (!(await shows(candidate))) continue;
        kept = candidate;
        changed = true;
        break;
      }
    }
  }
  return kept;
}

const removable = [
  'path',
  'credential',
  'origin',
  'preflight',
  'cached',
  'type',
  'size',
  'method',
] as const;

/** Moves with one thing less. */
function* simplerMoves(move: Move): Generator<Move> {
  if (!isRequest(move)) return;
  for (const key of removable) {
    if (move[key] !== undefined) yield without(move, key);
  }
  for (const name of Object.keys(move.query ?? {})) {
    yield { ...move, query: without(move.query ?? {}, name) };
  }
  if (isObject(move.body)) {
    for (const body of simplerBodies(move.body as Record<string, Json>)) yield { ...move, body };
  }
}

function* simplerBodies(body: Record<string, Json>): Generator<Json> {
  for (const key of Object.keys(body)) yield without(body, key);
  const { profiles, name } = body;
  if (Array.isArray(profiles)) {
    for (const index of profiles.keys()) {
      if (profiles.length > 1) yield { ...body, profiles: profiles.toSpliced(index, 1) };
    }
  }
  if (typeof name === 'string' && name.length > 1) {
    yield { ...body, name: name.slice(0, Math.floor(name.length / 2)) };
  }
}

function without<Value extends object>(value: Value, key: keyof Value): Value {
  const { [key]: _, ...rest } = value;
  return rest as Value;
}
