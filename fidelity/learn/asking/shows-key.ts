import { redact } from '../../../conformance/run/redact.ts';
import { secretsOf } from '../../../conformance/target/near-keys.ts';

/** Characters of a key that is searched for; a shorter one may be part of ordinary words. */
const shortest = 8;

/** Whether one of the keys is in a value. */
export function showsKey(value: unknown, apiKeys: readonly string[]): boolean {
  const keys = apiKeys.flatMap(secretsOf).filter((key) => key.length >= shortest);
  return JSON.stringify(redact(value, keys)) !== JSON.stringify(value);
}
