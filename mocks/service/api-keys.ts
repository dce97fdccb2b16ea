/** The form of an API key where no exact keys are given. */
const openKey = /^test-[\w.~+/=-]{1,200}$/;

/** Whether an API key is accepted: one of `apiKeys`, or without these any of the form `test-…`. */
export function acceptsKey(apiKeys: readonly string[] | undefined, apiKey: string): boolean {
  return apiKeys === undefined ? openKey.test(apiKey) : apiKeys.includes(apiKey);
}

/** The key whose world has what was asked for without a key. */
export function homeKeyOf(apiKeys: readonly string[] | undefined): string {
  return apiKeys?.[0] ?? 'test-demo';
}

/** What a client should send, in words. Given keys are secrets, so the text does not show them. */
export function expectedKey(apiKeys: readonly string[] | undefined): string {
  return apiKeys === undefined
    ? 'a key of the form test-… (such as test-demo)'
    : 'one of the keys that this mock was started with';
}

/** Given keys are secrets, so a store has only their digest. */
export async function digestOf(apiKey: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiKey));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
