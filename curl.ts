/** What a line for a shell sends. */
interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string | undefined;
}

/**
 * A request as a line that can be pasted into a shell. Whatever it says of the request may come from
 * a stranger, so each such word is quoted, and follows an option that takes it as its value.
 */
export function toCurl({ method, url, headers, body }: Sent): string {
  const data = method === 'HEAD' ? undefined : body;
  return [
    'curl -i --globoff',
    ...writeMethod(method, data),
    ...[...headers].map(([name, value]) => `-H ${quote(writeHeader(name, value))}`),
    ...(data === undefined ? [] : [`--data-raw ${quote(data)}`]),
    `--url ${quote(url.href)}`,
  ].join(' ');
}

function writeMethod(method: string, data: string | undefined): string[] {
  if (method === 'GET' && data === undefined) return [];
  // With -X HEAD, curl waits for the body that the answer tells the length of.
  return method === 'HEAD' ? ['--head'] : [`-X ${quote(method)}`];
}

/** To curl, a name and a colon alone mean a header that it is not to send. */
function writeHeader(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/**
 * A text as one word of a shell. Single quotes let nothing through. Control characters are left out: no word of a shell can hold a
 * NUL, and a terminal takes others for keys, such as the one that ends the line.
 */
export function quote(text: string): string {
  return `'${text.replace(/(?![\t\n\r])\p{Cc}/gu, '').replaceAll("'", `'\\''`)}'`;
}
