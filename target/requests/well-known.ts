/**
 * An id that no target has given to a stream. It differs in each process, as it is also written to: a fixed one could
 * be in use.
 */
export const unknownId: string = `00000000-0000-4000-8000-${crypto.randomUUID().slice(-12)}`;
/**
 * What is appended to the id of a stream to make an id that no stream has: letters that no number has, however it is
 * written, and digits. They are random, so that no other id can begin with an id and go on like this.
 */
export const idEndings: readonly string[] = ['ghjkmnpqrstuvwyz', '0123456789'].map(randomText);
/** How many characters are cut from the end of the id of a stream to make ids that no stream has. */
export const charactersCut: readonly number[] = [1, 4];
/** What a client sends by mistake if it has no id. */
export const notAnId = 'undefined';
/** A path at which no target has an operation. */
export const unknownPath = '/no-such-path';

/** The path below the base URL that creates a stream, as a lenient server reads it, perhaps with a query. */
export const creationPath: RegExp = /^\/stream\/?(\?.*)?$/i;

/** Maximum length of an id in a path. */
export const longestId = 1024;

/** Whether a request with this method only reads. */
export function isSafeMethod(method = 'GET'): boolean {
  return /^(GET|HEAD|OPTIONS)$/.test(method);
}

/** The origin of a target that is the mock in the suite's own process. */
export const mockOrigin = 'http://mock.invalid';

function randomText(alphabet: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}
