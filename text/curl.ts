/** A request for {@link toCurl}. */
interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body?: string | undefined;
}

/**
 * A request as a line that can be pasted into a shell. Any part of the request may come from a
 * stranger, so each is quoted and follows an option that takes it as a value.
 */
export function toCurl({ method, url, headers, body }: Sent): string {
  const data = method === 'HEAD' ? undefined : body;
  return [
    'curl -i --globoff',
    ...writeMethod(method, data),
    // `name:` tells curl not to send the header; `name;` sends an empty one.
    ...[...headers].map(
      ([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...(data === undefined ? [] : [`--data-raw ${quote(data)}`]),
    `--url ${quote(url.href)}`,
  ].join(' ');
}

function writeMethod(method: string, data: string | undefined): string[] {
  if (method === 'GET' && data === undefined) return [];
  // With -X HEAD, curl would wait for a body of the length that the response states.
  return method === 'HEAD' ? ['--head'] : [`-X ${quote(method)}`];
}

/**
 * A text as one shell word, in single quotes. Control characters are left out: a shell accepts no NUL, and a
 * terminal would take others for keys, such as the one that ends the line.
 */
export function quote(text: string): string {
  return `'${text.replace(/(?![\t\n\r])\p{Cc}/gu, '').replaceAll("'", `'\\''`)}'`;
}
