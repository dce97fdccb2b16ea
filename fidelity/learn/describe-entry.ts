import { behaviourIds, definitionOf } from '../../interface/dialect/behaviours.ts';
import { positions } from '../../interface/dialect/matrix.ts';
import { cellName } from '../../interface/dialect/statements.ts';

/** What each cell and behaviour is about, by its name in a dialect, in a sentence. */
const sentences: ReadonlyMap<string, string> = new Map([
  ...positions.map(({ endpoint, error }) => [cellName(endpoint, error.id), error.meaning] as const),
  ...behaviourIds.map((id) => [`behaviours.${id}`, definitionOf(id).question] as const),
]);

/** The name of an entry with what it is about, if that is known. */
export function describeEntry(name: string): string {
  const sentence = sentences.get(name);
  return sentence === undefined ? name : `${name}: ${sentence}`;
}

/** What a value of a behaviour means, if it is a word. */
export function meaningOf(name: string, value: unknown): string | undefined {
  const id = behaviourIds.find((one) => name === `behaviours.${one}`);
  if (id === undefined || typeof value === 'object') return undefined;
  return new Map(Object.entries(definitionOf(id).meanings)).get(String(value));
}
