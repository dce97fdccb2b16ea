const timeUnits = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3600 },
  { name: 'min', seconds: 60 },
] as const;

/** A number of seconds, in its two largest units: `2 h 5 min`, `9.6 s`. */
export function duration(seconds: number): string {
  const index = timeUnits.findIndex((unit) => seconds >= unit.seconds);
  const unit = timeUnits[index];
  if (unit === undefined && seconds < 0.1) return `${Math.round(seconds * 1000)} ms`;
  if (unit === undefined) return `${Math.floor(seconds * 10) / 10} s`;
  const smaller = timeUnits[index + 1] ?? { name: 's', seconds: 1 };
  const smallerCount = Math.floor((seconds % unit.seconds) / smaller.seconds);
  const inUnit = `${Math.floor(seconds / unit.seconds)} ${unit.name}`;
  return smallerCount === 0 ? inUnit : `${inUnit} ${smallerCount} ${smaller.name}`;
}

/** A number of things: `1 request`, `2 requests`. */
export function count(number: number, thing: string): string {
  return `${number.toLocaleString()} ${thing}${number === 1 ? '' : 's'}`;
}

/** A time in milliseconds since 1970, in the reader's format. */
export const momentText: (moment: number) => string = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
}).format;

/** The time of day. */
export const clockText: (moment: number) => string = new Intl.DateTimeFormat(undefined, {
  timeStyle: 'medium',
}).format;

/** The time of day, without seconds. */
export const minuteText: (moment: number) => string = new Intl.DateTimeFormat(undefined, {
  timeStyle: 'short',
}).format;

/** A date, without its year. */
export const dayText: (moment: number) => string = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
}).format;

/** The time of day, with milliseconds. */
export const timeText: (moment: number) => string = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
}).format;

/** The parsed JSON, or the text itself. */
export function readJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
