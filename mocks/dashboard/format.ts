import { create } from './dom.ts';

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

const exactMoments = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** A moment in the reader's words; the exact one is its title. */
export function createTime(moment: number): HTMLTimeElement {
  const time = create('time');
  showTime(time, moment);
  return time;
}

/** The same with its milliseconds. */
export function createExactTime(moment: number): HTMLTimeElement {
  const time = createTime(moment);
  time.textContent = exactMoments.format(moment);
  return time;
}

/** Shows a moment in an element that is there already. */
export function showTime(time: HTMLTimeElement, moment: number): void {
  time.dateTime = time.title = new Date(moment).toISOString();
  time.textContent = moments.format(moment);
}

/** Seconds as hours, minutes and seconds: `1:02:05.4`. */
export function formatSeconds(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const rest = (Math.floor((seconds % 60) * 10) / 10).toFixed(1).padStart(4, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
