import type { Bijection } from './bijection.ts';
import type { Finding } from './finding.ts';

/** What a sequence knows of the addresses of two sides. */
export interface Addresses {
  /** Ids and keys of streams and sessions. */
  readonly ids: Bijection;
  readonly hosts: Bijection;
}

/** Characters of an address that are looked at. */
const longest = 4_000;

/** How two addresses, or paths, differ: hosts correspond, and so do the ids that are in both. */
export function compareAddresses(
  addresses: readonly [string, string],
  where: string,
  { ids, hosts }: Addresses,
): Finding[] {
  const [one, other] = addresses.map((address) => address.slice(0, longest)) as [string, string];
  if (URL.canParse(one) && URL.canParse(other) && !hosts.pair(hostOf(one), hostOf(other))) {
    return [{ where, kinds: ['on one host', 'on another'] }];
  }
  if (ids.arePartnersIn(one, other)) return [];
  return [{ where, kinds: ['with the id of one', 'with that of another'] }];
}

function hostOf(address: string): string {
  return new URL(address).host;
}
