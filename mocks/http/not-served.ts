/** What services of the field have beside the interface, and the mock has not: each with its paths below the prefix. */
export const notServed: readonly { readonly what: string; readonly path: RegExp }[] = [
  { what: 'assets', path: /^\/asset(\/|$)/ },
  { what: 'webhooks', path: /^\/webhook(\/|$)/ },
  {
    what: 'multistream targets',
    path: /^\/multistream\/|^\/stream\/[^/]+\/(create-multistream-target$|multistream\/)/,
  },
  { what: 'access control', path: /^\/access-control\// },
  { what: 'viewership data', path: /^\/data\// },
  { what: 'clips', path: /^\/clip$|^\/(stream|session)\/[^/]+\/clips$/ },
  { what: 'pulled streams', path: /^\/stream\/[^/]+\/start-pull$/ },
  { what: 'rooms', path: /^\/room(\/|$)/ },
  { what: 'tasks', path: /^\/task(\/|$)/ },
  { what: 'transcoding of files', path: /^\/transcode$/ },
  // The SDK writes the prefix a second time.
  { what: 'generated media', path: /^(\/api)?\/generate\// },
];

/** What a path is about that the mock has not; `undefined` for any other path. */
export function findNotServed(pathname: string, prefix: string): string | undefined {
  if (!pathname.startsWith(`${prefix}/`)) return undefined;
  const below = pathname.slice(prefix.length).replace(/\/$/, '');
  return notServed.find(({ path }) => path.test(below))?.what;
}
