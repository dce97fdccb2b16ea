import { createRandom } from '../../fixtures/random.ts';
import { createId } from './ids.ts';

/** The form of an API key if no exact keys are given. */
const openKey = /^test-[\w.~+/=-]{1,200}$/;

/** Whether an API key is accepted: it is one of `apiKeys` or, without these, has the form `test-…`. */
export function acceptsKey(apiKeys: readonly string[] | undefined, apiKey: string): boolean {
  return apiKeys === undefined ? openKey.test(apiKey) : apiKeys.includes(apiKey);
}

/** Requests without a key belong to the world of this key. */
export function homeKeyOf(apiKeys: readonly string[] | undefined): string {
  return apiKeys?.[0] ?? 'test-demo';
}

/** Which key a client should send, in words. Exact keys are secrets, so the text does not quote them. */
export function expectedKey(apiKeys: readonly string[] | undefined): string {
  return apiKeys === undefined
    ? 'a key of the form test-… (such as test-demo)'
    : 'one of the keys that this mock was started with';
}

/** The digest of an API key. Exact keys are secrets, so a store gets only their digests. */
export async function digestOf(apiKey: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiKey));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The id of the user to whom the new world of a key belongs. */
export function newUserId(seed: string, apiKey: string): string {
  return createId(createRandom(`${seed}/${apiKey}/user`));
}
