/** What a line for a shell sends. */
interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A request as a line for a shell. */
export function curlLine({ method, url, headers, body }: Sent): string {
  return [
    'curl',
    ...writeMethod(method),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', quote(`${name}: ${value}`)]),
    ...(body === undefined ? [] : ['--data-raw', quote(body)]),
    quote(url),
  ].join(' ');
}

function writeMethod(method: string): string[] {
  if (method === 'GET') return [];
  return method === 'HEAD' ? ['--head'] : ['-X', method];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
