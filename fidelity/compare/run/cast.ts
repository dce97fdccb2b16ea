import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { unknownId } from '../../../conformance/target/operations.ts';
import type { Place, RequestMove } from '../moves/move.ts';
import type { Two } from './side.ts';

/** A stream or session of the sequence. */
export interface Member {
  readonly kind: 'stream' | 'session' | 'other-key';
  /** Its id on each side; one that goes live has none until a list shows it. */
  readonly ids: [string | undefined, string | undefined];
  /** What each side showed when it was created. */
  readonly shown: Two<JsonObject>;
  /** The stream of a session. */
  readonly parent?: Member;
  deleted: boolean;
  /** Ends the live session on each side; absent while the stream is not live. */
  stop?: Two<() => Promise<void>>;
  /** When a session began and ended on each side. */
  began?: Two<Span>;
  ended?: Two<Span>;
}

/** A moment that is known to lie between two: a request was sent, and its response came. Milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** All streams and sessions of a sequence, and what was seen of them. */
export interface Cast {
  readonly members: Member[];
  /** By the id on each side. */
  readonly byId: Two<Map<string, Member>>;
  /** ETags by path. */
  readonly etags: Two<Map<string, string>>;
  /** The last list that had a next page, and the query that each side gave for it. */
  next: { readonly move: RequestMove; readonly queries: Two<string> } | undefined;
  /** Lists that show what others made, too: their pages cannot be compared. */
  readonly crowded: Set<string>;
}

export function createCast(crowded: Set<string>): Cast {
  return {
    crowded,
    members: [],
    byId: [new Map(), new Map()],
    etags: [new Map(), new Map()],
    next: undefined,
  };
}

/** Adds a stream or session. */
export function enter(
  cast: Cast,
  member: Pick<Member, 'kind' | 'ids' | 'shown'> & { parent?: Member },
): Member {
  const entered: Member = { ...member, deleted: false };
  cast.members.push(entered);
  for (const side of [0, 1] as const) identify(cast, entered, side, member.ids[side]);
  return entered;
}

function identify(cast: Cast, member: Member, side: 0 | 1, id: string | undefined): void {
  if (id === undefined) return;
  member.ids[side] = id;
  cast.byId[side].set(id, member);
}

/**
 * The member that a side shows; `undefined` for what the sequence did not make. A session that is new
 * is the first of its stream whose id was not known.
 */
export function recognize(cast: Cast, side: 0 | 1, record: JsonObject): Member | undefined {
  const { id: given, parentId } = record;
  const id = typeof given === 'number' ? String(given) : given;
  if (typeof id !== 'string') return undefined;
  const known = cast.byId[side].get(id);
  if (known !== undefined || typeof parentId !== 'string') return known;
  const parent = cast.byId[side].get(parentId);
  const found = cast.members.find(
    (member) => member.parent === parent && parent !== undefined && member.ids[side] === undefined,
  );
  if (found !== undefined) identify(cast, found, side, id);
  return found;
}

/** The member at a place, the newest first; `undefined` where there is none with an id on both sides. */
export function memberAt({ members }: Cast, { of, at }: Place): Member | undefined {
  const fitting = members.filter(({ kind, deleted, ids }) => {
    if (ids.includes(undefined)) return false;
    return of === 'deleted' ? kind === 'stream' && deleted : kind === of && !deleted;
  });
  return fitting[fitting.length - 1 - (at % Math.max(1, fitting.length))];
}

/** The id that a place has on a side: one that nothing has, where nothing is there. */
export function idAt(cast: Cast, place: Place, side: 0 | 1): string {
  return memberAt(cast, place)?.ids[side] ?? unknownId;
}

/** What a place is, in a word: for coverage, and for what a difference is about. */
export function describePlace(cast: Cast, place: Place): string {
  const member = memberAt(cast, place);
  if (member === undefined) return 'unknown id';
  if (member.deleted) return 'deleted stream';
  if (member.kind === 'other-key') return "another key's stream";
  if (member.parent?.deleted) return 'session of a deleted stream';
  return member.stop ? `live ${member.kind}` : member.kind;
}
