import { type ChangeBehaviours, changeRows } from './silent-changes.ts';
import { type CreationBehaviours, creationRows } from './silent-creation.ts';
import { type HttpBehaviours, httpRows } from './silent-http.ts';
import { type ListBehaviours, listRows } from './silent-lists.ts';
import { type OrderBehaviours, orderRows } from './silent-orders.ts';
import { type ProfileBehaviours, profileRows } from './silent-profiles.ts';
import { type RefusalBehaviours, refusalRows } from './silent-refusals.ts';
import type { RowsOf, SilentRow } from './silent-row.ts';

/** How a service does everything that the interface leaves open: a value for each row. */
export type Behaviours = RefusalBehaviours &
  OrderBehaviours &
  CreationBehaviours &
  ProfileBehaviours &
  ListBehaviours &
  ChangeBehaviours &
  HttpBehaviours;

/** Id of a silent behaviour. */
export type RowId = keyof Behaviours;

/** Every behaviour that the interface leaves open: the one table that mock, suite, `learn` and `compare` read. */
export const silent: RowsOf<Behaviours> = {
  ...refusalRows,
  ...orderRows,
  ...creationRows,
  ...profileRows,
  ...listRows,
  ...changeRows,
  ...httpRows,
};

/** The ids of all rows. */
export const rowIds: readonly RowId[] = Object.keys(silent) as RowId[];

/** A row whose value may be of any type, for code that treats all rows alike. */
export function rowOf(id: RowId): SilentRow {
  return silent[id] as SilentRow;
}

/** The rows that no client can notice beside a value of a row. */
export function hiddenBy(id: RowId, value: unknown): readonly RowId[] {
  const { hides } = rowOf(id);
  if (hides === undefined) return [];
  const isHiding = 'when' in hides ? hides.when.includes(value) : !hides.unless.includes(value);
  return isHiding ? (hides.rows as RowId[]) : [];
}

/** What the mock does without a dialect. */
export const usualBehaviours: Behaviours = Object.fromEntries(
  rowIds.map((id) => [id, rowOf(id).default]),
) as unknown as Behaviours;
