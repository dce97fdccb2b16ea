/** The middle of the values, or the mean of the two in the middle. @throws RangeError for none */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) {
    throw new RangeError('median: expected at least one value, got none');
  }
  return (lower + upper) / 2;
}

/** Takes every series `rounds` times in turn, so that what slows the machine slows all alike. */
export async function interleaved<Key>(
  keys: readonly Key[],
  rounds: number,
  measure: (key: Key) => Promise<number>,
): Promise<Map<Key, number>> {
  const series = new Map<Key, number[]>(keys.map((key) => [key, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [key, values] of series) values.push(await measure(key));
  }
  return new Map([...series].map(([key, values]) => [key, median(values)]));
}
