/**
 * The URL at which clients reach what is at `url`: with the origin of the option `mediaOrigin`, if that is given.
 * Every address that leaves the process begins with what this returns: those in responses, in a `World`, in the text
 * that a server prints, and of encoders and cameras. Behind TLS, a request does not tell how its client got here.
 */
export function publicUrl(url: URL, mediaOrigin: string | undefined): URL {
  if (mediaOrigin === undefined) return url;
  // A path that begins with two slashes must not be read as a host.
  return new URL(mediaOrigin + url.pathname + url.search);
}
