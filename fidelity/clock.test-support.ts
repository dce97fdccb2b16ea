/** A clock that moves only when somebody waits. */
export function standingClock(milliseconds: number = Date.UTC(2026, 0, 1)) {
  let time = milliseconds;
  return {
    now: () => time,
    async pause(longer: number): Promise<void> {
      time += longer;
    },
  };
}
