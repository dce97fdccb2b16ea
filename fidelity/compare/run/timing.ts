import type { JsonObject } from '../../../conformance/target/expectations.ts';
import type { Finding } from '../equal/finding.ts';
import { isPending } from '../equal/records.ts';
import type { MadeRecord, Span } from './made-records.ts';
import type { Two } from './side.ts';

/** What was seen of a session on a side, in milliseconds. */
interface Sighting {
  /** When a response first showed it. */
  shown?: number;
  /** When its recording was last seen not to be ready: when that request was sent. */
  pending?: number;
  /** When its recording was first seen to be ready: when that response came. */
  ready?: number;
}

/** The sessions that a response shows. */
export type Shown = ReadonlyMap<MadeRecord, JsonObject>;

/** What a difference between two responses has to do with time. */
type Lateness =
  /** The sides may agree if they are asked again. */
  | 'ask again'
  /** One is so much later than the other that it differs. */
  | Finding
  /** One was recorded before the other got so far. */
  | 'ahead'
  /** Nothing. */
  | undefined;

/** Notes when sessions are seen, and tells what only time may have changed from a difference. */
export interface Timing {
  /** @param isCut whether each response is one page of a longer list */
  judge(shown: Two<Shown>, span: Span, isCut: readonly boolean[]): Lateness;
}

/** How much later one side may be: a part of the delay, and milliseconds. */
const tolerance = { part: 1.2, milliseconds: 200 };

/**
 * For responses that were recorded on the second side, whatever their delays: the first side is asked
 * again for so many milliseconds until it shows the same sessions, as ready.
 */
export function createAgreement(patience: number): Timing {
  let since: number | undefined;
  return {
    judge([one, other], { from, to }) {
      const isAhead = [...one].some(([session, record]) => {
        const recorded = other.get(session);
        return recorded !== undefined && isPending(recorded) && !isPending(record);
      });
      if (isAhead) return 'ahead';
      const isBehind = [...other].some(([session, record]) => {
        const shown = one.get(session);
        return shown === undefined || (isPending(shown) && !isPending(record));
      });
      since = isBehind ? (since ?? from) : undefined;
      return since !== undefined && to - since < patience ? 'ask again' : undefined;
    },
  };
}

export function createTiming(): Timing {
  const sightings = new Map<MadeRecord, [Sighting, Sighting]>();
  const seen = (session: MadeRecord): [Sighting, Sighting] => {
    const found = sightings.get(session) ?? [{}, {}];
    sightings.set(session, found);
    return found;
  };
  const note = (shown: Shown, side: 0 | 1, span: Span): void => {
    for (const [session, record] of shown) {
      const sighting = seen(session)[side];
      sighting.shown ??= span.to;
      if (isPending(record)) sighting.pending = span.from;
      else sighting.ready ??= span.to;
    }
  };
  return {
    judge(shown, span, isCut) {
      note(shown[0], 0, span);
      note(shown[1], 1, span);
      const members = new Set([...shown[0].keys(), ...shown[1].keys()]);
      const all = [...members].flatMap((session) => {
        const records = [shown[0].get(session), shown[1].get(session)] as const;
        return judgeOne(session, records, seen(session), span, isCut) ?? [];
      });
      return all.find((one) => one !== 'ask again') ?? all[0];
    },
  };
}

function judgeOne(
  session: MadeRecord,
  [one, other]: Two<JsonObject | undefined>,
  sightings: Two<Sighting>,
  span: Span,
  isCut: readonly boolean[],
): Lateness {
  if (one !== undefined && other !== undefined) {
    if (session.ended === undefined) return undefined;
    const late = findLater(session.ended, sightings);
    return late ?? (isPending(one) === isPending(other) ? undefined : 'ask again');
  }
  const missing = one === undefined ? 0 : 1;
  // On a side that has shown it before, or has further pages, it is missing for another reason.
  if (isCut[missing]) return undefined;
  if (sightings[missing].shown !== undefined || session.began === undefined) return undefined;
  const { shown = span.to } = sightings[missing === 0 ? 1 : 0];
  return isLater(session.began, missing, span.from, shown) ? undefined : 'ask again';
}

/** The finding that a recording is ready later on one side; `undefined` where none is known to be. */
function findLater(ended: Two<Span>, sightings: Two<Sighting>): Finding | undefined {
  const later = ([0, 1] as const).find((side) => {
    const { pending } = sightings[side];
    const { ready } = sightings[side === 0 ? 1 : 0];
    return pending !== undefined && ready !== undefined && isLater(ended, side, pending, ready);
  });
  if (later === undefined) return undefined;
  const delayOf = (side: 0 | 1): number => {
    const { pending = 0, ready = 0 } = sightings[side];
    return later === side ? pending - ended[side].from : ready - ended[side].to;
  };
  const kinds = later === 0 ? (['longer', 'shorter'] as const) : (['shorter', 'longer'] as const);
  return { where: 'delay until ready', kinds, delays: [delayOf(0), delayOf(1)] };
}

/** Whether what has not come on a side comes too late, as it came on the other side at `came`. */
function isLater(since: Two<Span>, side: 0 | 1, notYet: number, came: number): boolean {
  const least = notYet - since[side].to;
  const most = came - since[side === 0 ? 1 : 0].from;
  return least > most * tolerance.part + tolerance.milliseconds;
}
