import type { Random } from '../../fixtures/random.ts';

const hyphen = '-'.charCodeAt(0);
const digitCodes = Array.from('0123456789abcdefghijklmnopqrstuvwxyz', (digit) =>
  digit.charCodeAt(0),
);

/*
 * An identifier is made from the codes of its characters in one step. Strings that are joined from smaller ones take
 * several times as long, and keep their parts in memory, which adds up in a large world.
 */
const idCodes: number[] = new Array(36).fill(hyphen);

/** A UUID version 4 in lower case. */
export function createId(random: Random): string {
  const [first, second, third, fourth] = [
    random.word(),
    random.word(),
    random.word(),
    random.word(),
  ];
  writeHex(0, first, 8);
  writeHex(9, second >>> 16, 4);
  writeHex(14, 0x4000 | (second & 0x0fff), 4);
  writeHex(19, 0x8000 | ((third >>> 16) & 0x3fff), 4);
  writeHex(24, third, 4);
  writeHex(28, fourth, 8);
  return String.fromCharCode(...idCodes);
}

/** The forms that the ids of new records can have; `plain` gives such an id the form that the mock has by itself. */
const idForms = {
  uuid: { make: createId, plain: (id) => id },
  'uuid-in-upper-case': {
    make: (random) => createId(random).toUpperCase(),
    plain: (id) => id.toLowerCase(),
  },
  'uuid-of-version-7': {
    make: (random) => withVersion(createId(random), 7),
    plain: (id) => withVersion(id, 4),
  },
  prefixed: {
    make: (random) => `ses_${createId(random).slice(-12)}`,
    plain: (id) => id.replace('ses_', '00000000-0000-4000-8000-'),
  },
} as const satisfies Readonly<Record<string, Form>>;

interface Form {
  make(random: Random): string;
  plain(id: string): string;
}

/** A form of ids. */
export type IdForm = keyof typeof idForms;

/** Makes an id of a form. */
export function createIdOf(form: IdForm, random: Random): string {
  return idForms[form].make(random);
}

/** An id in the form that the mock has by itself. */
export function plainId(form: IdForm, id: string): string {
  return idForms[form].plain(id);
}

function withVersion(uuid: string, version: number): string {
  return `${uuid.slice(0, 14)}${version}${uuid.slice(15)}`;
}

/** Writes the last hexadecimal digits of a number into the codes of an id. */
function writeHex(start: number, number: number, digits: number): void {
  for (let index = start + digits - 1, rest = number; index >= start; index -= 1, rest >>>= 4) {
    idCodes[index] = digitCodes[rest & 15] as number;
  }
}

/** The id of a session as a child stream, if it has a different one there. Applied twice, it gives the original id. */
export function childId(id: string): string {
  const digits = id
    .slice(-12)
    .replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
  return `${id.slice(0, -12)}${digits}`;
}

/**
 * Four groups of four characters, the first from the beginning of the stream's id: with hyphens a stream key such as
 * `4d5f-k2x9-07qa-mm3c`, without them a public playback id.
 */
export function createKey(random: Random, streamId: string, separator: '-' | ''): string {
  const codes: number[] = [];
  for (let index = 0; index < 4; index += 1) codes.push(streamId.charCodeAt(index));
  for (let group = 1; group <= 3; group += 1) {
    if (separator === '-') codes.push(hyphen);
    let rest = random.word();
    for (let count = 1; count <= 4; count += 1) {
      codes.push(digitCodes[rest % 36] as number);
      rest = Math.floor(rest / 36);
    }
  }
  return String.fromCharCode(...codes);
}

/** Whether a text has the form of a UUID, of any version and letter case. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}
