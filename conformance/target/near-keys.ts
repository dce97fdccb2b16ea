/** Ways in which a key is almost the API key: at most five, as a service may lock out who tries many. */
const nearKeyNames = ['short', 'long', 'similar', 'middle', 'last'] as const;

/**
 * Keys that are almost the API key, and must be refused like any other wrong key. They go only where
 * the key itself goes, never with a request that creates, and reports hide them as they hide the key.
 */
export type NearKeys = Readonly<Record<(typeof nearKeyNames)[number], string>>;

/** The keys that are almost an API key. */
export function nearKeys(apiKey: string): NearKeys {
  const letter = Math.max(0, apiKey.search(/[a-z]/i));
  return {
    short: apiKey.slice(0, -1),
    long: `${apiKey}0`,
    // Its first letter has the other case.
    similar: changeAt(apiKey, letter, swapCase),
    // Another punctuation mark, or else another character.
    middle: changeAt(apiKey, middleOf(apiKey), changeCharacter),
    last: changeAt(apiKey, apiKey.length - 1, changeCharacter),
  };
}

/** Every key that the suite sends and no report may show. */
export function secretsOf(apiKey: string): string[] {
  return [apiKey, ...Object.values(nearKeys(apiKey))];
}

/** Where the punctuation mark is that is nearest to the middle; without one, the middle. */
function middleOf(apiKey: string): number {
  const middle = Math.floor(apiKey.length / 2);
  const distance = (at: number): number => Math.abs(at - middle);
  const marks = [...apiKey.matchAll(/(?<=.)[^a-z\d](?=.)/gi)].map(({ index }) => index);
  const [nearest = middle] = marks.sort((one, other) => distance(one) - distance(other));
  return nearest;
}

function changeAt(apiKey: string, at: number, change: (character: string) => string): string {
  return apiKey.slice(0, at) + change(apiKey.charAt(at)) + apiKey.slice(at + 1);
}

function swapCase(character: string): string {
  const lower = character.toLowerCase();
  const other = character === lower ? character.toUpperCase() : lower;
  return other === character ? changeCharacter(character) : other;
}

function changeCharacter(character: string): string {
  if (/[a-z\d]/i.test(character)) return character === '0' ? '1' : '0';
  return character === '-' ? '_' : '-';
}
