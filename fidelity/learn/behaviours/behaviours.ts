import { inParallel } from '../../../conformance/run/parallel.ts';
import { type Behaviours, type RowId, rowIds, rowOf } from '../../../interface/silent.ts';
import {
  type Asker,
  type Asking,
  type Observation,
  type Question,
  Unsayable,
} from '../asking/asking.ts';
import { changeProbes } from './changes.ts';
import { corsProbes } from './cors.ts';
import { httpProbes } from './http.ts';
import { listProbes } from './lists.ts';
import { recordProbes } from './records.ts';
import { timelineProbes } from './timeline.ts';

/** How each row is found out; one without a probe does not compile. */
const probes: { readonly [Id in RowId]: Question<Partial<Behaviours[Id]> | Behaviours[Id]> } = {
  ...recordProbes,
  ...changeProbes,
  ...listProbes,
  ...timelineProbes,
  ...httpProbes,
  ...corsProbes,
};

/** Rows whose answers take time, and are asked while nothing else is. */
export const timelineRows: readonly RowId[] = ['sessions.appear', 'time.ready', 'time.listed'];
/** Rows of lists, which are asked while nothing is created. */
export const listRows: readonly RowId[] = Object.keys(listProbes) as RowId[];
/** The others. */
export const otherRows: readonly RowId[] = rowIds.filter(
  (id) => !timelineRows.includes(id) && !listRows.includes(id),
);

/** Probes at work at once. */
const atOnce = 8;

/** Asks for some rows. */
export async function askRows(
  ids: readonly RowId[],
  asker: Asker,
  observed: Map<RowId, Observation>,
  onOne: (family: string) => void,
): Promise<void> {
  await inParallel(ids, atOnce, async (id) => {
    observed.set(id, await asker.observe((asking) => askRow(id, asking)));
    onOne(id);
  });
}

/** @throws Unsayable for a value that is not one of the row's */
async function askRow(id: RowId, asking: Asking): Promise<unknown> {
  const value = await probes[id](asking);
  const { error } = rowOf(id).values.safeParse(value);
  if (error !== undefined) {
    throw new Unsayable(
      `expected ${error.issues[0]?.message ?? 'a value of the row'}, got another`,
    );
  }
  return value;
}
