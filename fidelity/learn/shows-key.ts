import { redact } from '../../conformance/run/redact.ts';
import { secretsOf } from '../../conformance/target/near-keys.ts';

/** Characters of a key that is searched for; a shorter one may be part of ordinary words. */
const shortest = 8;

/** Characters of a key half of which is searched for too; that of a shorter one may be an ordinary word. */
const shortestOfHalves = 16;

/** Whether one of the keys is in a value, or at least half of a long one. */
export function showsKey(value: unknown, apiKeys: readonly string[]): boolean {
  const text = JSON.stringify(value);
  const isShort = (key: string): boolean => key.length < shortestOfHalves;
  const long = apiKeys.filter((key) => !isShort(key)).flatMap(secretsOf);
  if (JSON.stringify(redact(value, long)) !== text) return true;
  const words = apiKeys.filter(isShort).flatMap(secretsOf);
  return words.some(
    (word) => word.length >= shortest && text.toLowerCase().includes(word.toLowerCase()),
  );
}
