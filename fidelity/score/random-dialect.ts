import { judgeVariant } from '../../conformance/mutants/variants.ts';
import { inParallel } from '../../conformance/run/parallel.ts';
import { createRandom } from '../../fixtures/random.ts';
import type { Dialect } from '../../interface/dialect.ts';
import { hiddenBy, type RowId, rowIds, rowOf } from '../../interface/silent.ts';

/**
 * A dialect without breaks in which about half of the rows have a value other than the default. The same
 * seed gives the same dialect. Rows that no client can notice are not in it.
 */
export function randomDialect(seed: string): Dialect {
  const random = createRandom(seed);
  const values = new Map<RowId, unknown>();
  for (const id of rowIds) {
    const { default: usual, samples } = rowOf(id);
    const isUsual = random.integer(0, 1) === 0;
    values.set(id, isUsual ? usual : samples[random.integer(0, samples.length - 1)]);
  }
  for (const [id, value] of values) {
    for (const hidden of hiddenBy(id, value)) values.delete(hidden);
  }
  // A short page that nothing leads on from hides sessions, which the interface does not allow.
  if (values.get('list.next') !== 'link') values.delete('sessions.page-size');
  // What a list shows only after its recording is ready is late once: nothing tells of which time.
  const isListedLate = [
    values.get('sessions.appear') === 'when-ready',
    values.get('time.ready') === 0,
  ];
  if (isListedLate.includes(true)) values.set('time.listed', 0);
  return {
    format: 'livestream-mock/dialect',
    version: 1,
    name: `random, from the seed ${seed}`,
    rows: Object.fromEntries(values),
  };
}

/**
 * Runs the whole suite against mocks with random dialects, all of which must conform.
 * @returns what it found against them, with the seed of the dialect
 */
export async function judgeRandomDialects(seeds: readonly string[]): Promise<string[]> {
  const found = await inParallel(seeds, atOnce, async (seed) => {
    const rows = withShortTimes(randomDialect(seed).rows);
    const { passed, against } = await judgeVariant({ description: seed, rows });
    if (passed) return [];
    return [`seed ${seed}`, ...against.map((one) => `${one.requirement} ${one.message}`)].join(
      '; ',
    );
  });
  return found.flat();
}

/** The suite waits for a recording in real time, so late ones are ready a hundred times as soon. */
function withShortTimes(rows: Dialect['rows']): Dialect['rows'] {
  const { 'time.ready': ready = 0, 'time.listed': listed = 0 } = rows;
  return { ...rows, 'time.ready': ready / 100, 'time.listed': listed / 100 };
}

/** Runs of the suite under way at once. */
const atOnce = 4;
