import type { RowId } from '../../interface/silent.ts';
import { creationProbes } from './probes/creation.ts';
import { httpProbes } from './probes/http.ts';
import { listProbes } from './probes/lists/lists.ts';
import { orderProbes } from './probes/orders/orders.ts';
import { profileProbes } from './probes/profiles.ts';
import { refusalProbes } from './probes/refusals.ts';
import { changeProbes } from './probes/updates.ts';
import type { Probe } from './questions/probe.ts';

/** A row that follows from the others: it has no question of its own. */
export type DerivedRow = 'refusal.body';

/** How each row is found out; one without a probe does not compile. */
export const probes: { readonly [Id in Exclude<RowId, DerivedRow>]: Probe<Id> } = {
  ...refusalProbes,
  ...orderProbes,
  ...creationProbes,
  ...profileProbes,
  ...listProbes,
  ...changeProbes,
  ...httpProbes,
};
