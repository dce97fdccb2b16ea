import type { Correspondence } from './correspondence.ts';
import type { Finding } from './finding.ts';

/** Characters of an address that are looked at. */
const longest = 4_000;

/**
 * How the ids in two addresses, or paths, differ: where both have some of one kind, one of them must be
 * that of the same stream or session.
 */
export function compareIdsIn(
  one: string,
  other: string,
  where: string,
  ids: Correspondence['ids'],
): Finding[] {
  const paths = [pathOf(one), pathOf(other)] as const;
  const isOfAnother = Object.values(ids).some((kind) => {
    const standing = kind.standingIn(...paths);
    const isInBoth = standing.one.length > 0 && standing.other.length > 0;
    return isInBoth && !standing.one.some((id) => standing.other.includes(id));
  });
  return isOfAnother ? [{ where, kinds: ['with the id of one', 'with that of another'] }] : [];
}

/** What follows the host, which may have numbers in it. */
function pathOf(address: string): string {
  const text = address.slice(0, longest);
  if (!URL.canParse(text)) return text;
  const { pathname, search } = new URL(text);
  return pathname + search;
}

/** The host of an address; `undefined` for a path. */
export function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}
