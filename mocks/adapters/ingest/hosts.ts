import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { optionError } from '../../../text/option-error.ts';

/**
 * A host as URLs show it: in lower case, with an IPv6 address shortened and in brackets. An empty one is refused,
 * because Node would listen on every address of the machine.
 * @throws RangeError for anything but a name or an address.
 */
export function readHost(host: string): string {
  const url = `http://${host.includes(':') ? `[${host}]` : host}`;
  if (URL.canParse(url)) return new URL(url).hostname;
  const reason = `expected a name or an address such as 127.0.0.1, got "${host}"`;
  throw optionError(RangeError, 'host', reason);
}

/** The loopback address of a server that listens on every address, by that host. */
const loopbackOf: Readonly<Record<string, string>> = {
  '0.0.0.0': '127.0.0.1',
  '[::]': '[::1]',
  '[::ffff:0:0]': '127.0.0.1',
};

/** Whether a host, as URLs show it, stands for every address of the machine. */
export function isAnyAddress(host: string): boolean {
  return host in loopbackOf;
}

/** The host at which a program on the same machine reaches a server that listens on `host`. */
export function localHost(host: string): string {
  return loopbackOf[host] ?? host;
}

/** Whether only programs on the same machine reach a server that listens on `host`. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\..*|\[::1\]|\[::ffff:7f.*\])$/.test(host);
}

/**
 * An address of this machine, as URLs show it, or one that stands for all of them.
 * @throws RangeError that names the option, for anything else.
 */
export function readOwnAddress(option: string, address: string): string {
  const host = isIP(address) === 0 ? '' : readHost(address);
  const own = Object.values(networkInterfaces()).flatMap((interfaces = []) =>
    interfaces.map((found) => found.address),
  );
  const isOwn = own.some((found) => !found.startsWith('fe80:') && readHost(found) === host);
  if (isOwn || isAnyAddress(host) || isLoopback(host)) return host;
  const expected = 'an address of this machine, or 0.0.0.0 for all of them';
  throw optionError(RangeError, option, `expected ${expected}, got "${address}"`);
}
