/** Reads any text except an empty one, which is what an unset shell variable gives. */
export function asText(text: string): string {
  if (text !== '') return text;
  throw new Error('expected a value, got an empty text');
}

/** Reads an origin as browsers send it. An app may have its own scheme. */
export function asOrigin(text: string): string {
  const isSent = /^https?:/i.test(text)
    ? URL.canParse(text) && new URL(text).origin === text
    : /^[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+$/.test(text);
  if (isSent) return text;
  const expected = 'a scheme, host and port such as http://localhost:5173';
  throw new Error(`expected ${expected}, as browsers send it, got "${text}"`);
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
