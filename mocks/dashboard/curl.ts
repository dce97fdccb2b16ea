/** A request as a line for a shell. */
export function curlLine(request: string, apiKey: string, body?: unknown): string {
  const [method = '', path = ''] = request.split(' ');
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    '-H',
    quote(`authorization: Bearer ${apiKey}`),
    ...(body === undefined
      ? []
      : ['-H', quote('content-type: application/json'), '-d', quote(JSON.stringify(body))]),
    quote(location.origin + path),
  ].join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
