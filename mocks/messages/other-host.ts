const otherNames: Readonly<Record<string, string>> = {
  '127.0.0.1': 'localhost',
  localhost: '127.0.0.1',
};

/**
 * Another host at which clients reach the same mock: on loopback, the other name of this machine; for a domain, which an
 * integration answers, one below it. Nothing else has another name that clients could resolve, so it stays as it is.
 */
export function otherHost(hostname: string): string {
  const isDomain = /^[a-z\d-]+(\.[a-z\d-]+)*\.[a-z][a-z\d-]*$/.test(hostname);
  return otherNames[hostname] ?? (isDomain ? `media.${hostname}` : hostname);
}
