/** What one owner has in a bundle. */
export interface Share {
  /** Name of a library, or `its own code`. */
  readonly owner: string;
  readonly bytes: number;
}

/** Splits bundled sources by the comments in which the bundler says where each part is from. */
export function shares(sources: readonly string[]): Share[] {
  const bytes = new Map<string, number>();
  for (const part of sources.flatMap((source) => source.split(/^(?=\/\/#region )/m))) {
    const owner = /^\/\/#region .*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(part)?.[1];
    const name = owner ?? 'its own code';
    bytes.set(name, (bytes.get(name) ?? 0) + Buffer.byteLength(part));
  }
  return [...bytes]
    .map(([owner, size]) => ({ owner, bytes: size }))
    .sort((left, right) => right.bytes - left.bytes);
}
