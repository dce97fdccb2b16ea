/** A file of the dashboard, as it lies in the package. */
export type DashboardFile = 'index.html' | 'dashboard.css' | 'dashboard.js' | 'icon.svg';

/** Where the files lie; all but the page itself below a path that is the mock's own. */
const paths: ReadonlyMap<string, DashboardFile> = new Map([
  ['/', 'index.html'],
  ['/_mock/dashboard/dashboard.css', 'dashboard.css'],
  ['/_mock/dashboard/dashboard.js', 'dashboard.js'],
  ['/_mock/dashboard/icon.svg', 'icon.svg'],
]);

/** The file of the dashboard that a request asks for; `undefined` where it is for the mock. */
export function dashboardFile({ method, url }: Request): DashboardFile | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('?', start);
  return paths.get(url.slice(start, end < 0 ? undefined : end));
}
