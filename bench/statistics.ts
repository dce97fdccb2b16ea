/** The middle value, or the lower of two; `NaN` without values. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(values.length / 2) - 1] ?? Number.NaN;
}

/** Measures each series `rounds` times, taking turns, so that a slow machine affects all alike; returns the medians. */
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
