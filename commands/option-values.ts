import { readPageOrigin } from '../text/option-error.ts';

/** Reads any text except an empty one, which is what an unset shell variable gives. */
export function asText(text: string): string {
  if (text !== '') return text;
  throw new Error('expected a value, got an empty text');
}

/** Reads an origin of pages. */
export function asOrigin(text: string): string {
  return readPageOrigin('origin', text);
}

/** Reads a whole number. */
export function integer(low: number, high: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,12}$/.test(text) && Number(text) >= low && Number(text) <= high) return Number(text);
    throw new Error(`expected a whole number from ${low} to ${high}, got "${text}"`);
  };
}

/** Reads one of some names. */
export function oneOf<const Name extends string>(names: readonly Name[]): (text: string) => Name {
  return (text) => {
    const name = names.find((known) => known === text);
    if (name !== undefined) return name;
    throw new Error(`expected one of ${names.join(', ')}, got "${text}"`);
  };
}
