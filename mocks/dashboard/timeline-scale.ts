/** A time that passed at once, because the clock was advanced: milliseconds since 1970. */
export interface Jump {
  readonly from: number;
  readonly to: number;
}

/** Groups jumps, in order of time, that have none of the events between them: nothing would tell them apart. */
export function groupJumps<Item extends Jump>(
  jumps: readonly Item[],
  events: readonly number[],
): Item[][] {
  const groups: Item[][] = [];
  for (const jump of jumps.toSorted((left, right) => left.from - right.from)) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    const isApart = events.some(
      (event) => previous !== undefined && previous.to <= event && event <= jump.from,
    );
    if (group === undefined || isApart) groups.push([jump]);
    else group.push(jump);
  }
  return groups;
}

/** Where a moment is on a timeline, from 0 to 1. */
export type Scale = (moment: number) => number;

/** The room of a jump, in units of the scale: enough for its mark. */
const foldedRoom = 1.5;

/**
 * Makes the scale of a timeline, which places each of the given moments. The distance between two events is the
 * logarithm of the time between them, so a session of seconds is visible next to a pause of days. What a jump of the
 * clock skips is folded: nothing happened then, whether it was a minute or a month.
 */
export function createScale(moments: readonly number[], jumps: readonly Jump[]): Scale {
  const places = new Map<number, number>();
  let place = 0;
  let previous = Number.NaN;
  for (const moment of moments.toSorted((left, right) => left - right)) {
    if (moment > previous) {
      const isSkipped = jumps.some(({ from, to }) => from <= previous && moment <= to);
      place += isSkipped ? foldedRoom : 0.5 + Math.log1p((moment - previous) / 1000);
    }
    places.set(moment, place);
    previous = moment;
  }
  return (moment) => (places.get(moment) ?? 0) / (place || 1);
}

/** A time that is written under a timeline. */
export interface Tick {
  readonly moment: number;
  readonly place: number;
}

/** The least distance of two ticks, in pixels: a time with seconds takes 57, and the outer ones are not centred. */
const tickDistance = 94;

/** The width of a timeline on a phone, in pixels. */
const narrowestWidth = 336;

/**
 * The moments that are written under a timeline of at least this width in pixels: the first, the last, and those
 * between that have room.
 */
export function chooseTicks(moments: readonly number[], scale: Scale, leastWidth: number): Tick[] {
  const distance = tickDistance / Math.max(narrowestWidth, leastWidth);
  const ticks: Tick[] = [];
  for (const moment of moments.toSorted((left, right) => left - right)) {
    const place = scale(moment);
    const isFree = place - (ticks.at(-1)?.place ?? -1) >= distance;
    if (isFree && (place === 1 || 1 - place >= distance)) ticks.push({ moment, place });
  }
  return ticks;
}
