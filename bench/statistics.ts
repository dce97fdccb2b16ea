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

/** Takes every series `rounds` times in turn, so that what slows the machine slows all alike; the medians. */
export async function interleaved<Name extends string>(
  names: readonly Name[],
  rounds: number,
  measure: (name: Name) => Promise<number>,
): Promise<Readonly<Record<Name, number>>> {
  const series = names.map((name) => [name, [] as number[]] as const);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, values] of series) values.push(await measure(name));
  }
  const medians = series.map(([name, values]) => [name, median(values)]);
  return Object.fromEntries(medians) as Readonly<Record<Name, number>>;
}
