const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in milliseconds since 1970, for people to read. */
export function formatTime(moment: number): string {
  return dates.format(moment);
}

/** Seconds as `1:02:05` or `2:05`. */
export function formatDuration(seconds: number): string {
  const rounded = Math.round(seconds);
  const two = (count: number): string => String(count).padStart(2, '0');
  const hours = Math.floor(rounded / 3600);
  const minutes = Math.floor(rounded / 60) % 60;
  const end = two(rounded % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${end}` : `${minutes}:${end}`;
}
