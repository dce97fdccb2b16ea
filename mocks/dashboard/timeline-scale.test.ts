import { expect, test } from 'vitest';
import { chooseTicks, createScale, groupJumps } from './timeline-scale.ts';

const minute = 60_000;

test('the first moment is at 0, the last at 1, and a longer pause takes more room', () => {
  const scale = createScale([0, 1000, minute, 60 * minute], []);
  expect([scale(0), scale(60 * minute)]).toEqual([0, 1]);
  expect(scale(60 * minute) - scale(minute)).toBeGreaterThan(scale(minute) - scale(1000));
});

test('a jump of the clock takes the same room, however far it goes', () => {
  const roomOf = (length: number) => {
    const moments = [0, minute, minute + length, 2 * minute + length];
    const scale = createScale(moments, [{ from: minute, to: minute + length }]);
    return scale(minute + length) - scale(minute);
  };
  expect(roomOf(30 * 24 * 60 * minute)).toBeCloseTo(roomOf(minute));
  expect(roomOf(minute)).toBeLessThan(0.2);
});

test('one moment alone is at the beginning', () => {
  expect(createScale([minute], [])(minute)).toBe(0);
});

test('the first and the last moment have a tick, and others if there is room', () => {
  const places = new Map([0, 0.1, 0.4, 0.5, 0.9, 1].map((place) => [place * minute, place]));
  const placesOfTicks = (width: number) =>
    chooseTicks([...places.keys()], (moment) => places.get(moment) ?? 0, width).map(
      ({ place }) => place,
    );
  expect(placesOfTicks(0)).toEqual([0, 0.4, 1]);
  expect(placesOfTicks(1000)).toEqual([0, 0.1, 0.4, 0.5, 0.9, 1]);
});

test('jumps with nothing between them are a group', () => {
  const first = { from: 0, to: 1 };
  const second = { from: 2, to: 3 };
  const third = { from: 4, to: 5 };
  expect(groupJumps([third, first, second], [])).toEqual([[first, second, third]]);
  expect(groupJumps([first, second, third], [3.5])).toEqual([[first, second], [third]]);
});

test('something at the very end of a jump is between it and the next', () => {
  const jumps = [
    { from: 0, to: 1 },
    { from: 1, to: 2 },
  ];
  expect(groupJumps(jumps, [1])).toHaveLength(2);
  expect(groupJumps(jumps, [0, 2])).toHaveLength(1);
});
