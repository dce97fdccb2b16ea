/** A request as a line that can be pasted into a shell. */
export function toCurl(request: Request, body: string | undefined): string {
  const headers = [...request.headers].map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const method = request.method === 'GET' ? [] : [`-X ${request.method}`];
  const data = body === undefined ? [] : [`--data-raw ${quote(body)}`];
  return ['curl -i', ...method, ...headers, ...data, quote(request.url)].join(' ');
}

/** Single quotes let nothing through, so that a line from a target runs nothing. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
