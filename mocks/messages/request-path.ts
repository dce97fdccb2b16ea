/**
 * The path of a request, decoded like one that leads to a route: `%25`, `%2F` and other characters with a meaning in a
 * URL stay as they are. A path with an invalid escape is not decoded at all, because anybody may send thousands of
 * escapes, and to look for the valid ones among them costs an exception for each invalid one.
 */
export function requestPath({ url }: Pick<Request, 'url'>): string {
  const [address = ''] = url.split(/[?#]/, 1);
  const path = address.slice(address.indexOf('/', address.indexOf('://') + 3));
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path.replaceAll('%25', '%2525'));
  } catch {
    return path;
  }
}
