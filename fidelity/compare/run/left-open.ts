import { profileFields } from '../../../interface/limit-ladders.ts';
import type { Behaviours } from '../../../interface/silent.ts';
import type { LowerLimit, UpperLimit } from '../../../interface/silent-row.ts';
import { isObject } from '../../json.ts';
import { isRequest, type Move } from '../moves/move.ts';
import { bodyText } from './to-call.ts';

/**
 * Whether a move has a value between the largest one that a dialect says is accepted and the smallest
 * one that it says is refused: the dialect leaves open what becomes of it.
 */
export function isLeftOpen(move: Move, behaviours: Behaviours): boolean {
  if (!isRequest(move)) return false;
  const body = isObject(move.body) ? move.body : {};
  const { name, profiles } = body;
  return (
    isAbove(name, behaviours['create.name-length'], (text) => [...String(text)].length) ||
    isAbove(bodyText(move)?.length ?? 0, behaviours['http.body-size']) ||
    isAbove(Number(move.query?.['limit']), behaviours['list.largest-limit']) ||
    (Array.isArray(profiles) && profiles.some((profile) => isProfileLeftOpen(profile, behaviours)))
  );
}

function isProfileLeftOpen(profile: unknown, behaviours: Behaviours): boolean {
  if (!isObject(profile)) return false;
  return profileFields.some(
    (field) =>
      isAbove(profile[field], behaviours[`profile.largest.${field}`]) ||
      isBelow(profile[field], behaviours[`profile.smallest.${field}`]),
  );
}

function isAbove(
  value: unknown,
  { atLeast, below = atLeast }: UpperLimit,
  measure: (value: unknown) => number = Number,
): boolean {
  const size = measure(value);
  return size > atLeast && size < below;
}

function isBelow(value: unknown, { atMost, above = atMost }: LowerLimit): boolean {
  return typeof value === 'number' && value < atMost && value > above;
}
