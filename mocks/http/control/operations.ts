import * as z from 'zod';
import { type Operation, operation } from '../../../interface/operations.ts';
import { sessionSchema } from '../../../interface/schemas.ts';
import { faultReportSchema, faultSchema } from '../../faults/schema.ts';
import { variantEvidenceSchema } from '../../journal/evidence.ts';
import { exchangeSchema } from '../../journal/exchange.ts';
import { exchangeQuery } from '../../journal/filter.ts';
import { exportedStateSchema } from '../../service/exported-state.ts';
import { clockSettingSchema, speedSchema } from '../../state/clock-setting.ts';
import { ingestReportSchema } from '../../state/ingest.ts';
import { knownWorldSchema } from '../../state/known-world.ts';
import { momentSchema } from '../../state/moment.ts';
import { startSchema } from '../../state/record-schemas.ts';

const clockSchema = z.strictObject({
  now: z.int().describe('Milliseconds since 1970'),
  speed: speedSchema,
});

const countSchema = z.strictObject({ count: z.int(), max: z.int() });

/** What the mock says of its own state. It names no key and no world. */
const healthSchema = z.strictObject({
  status: z.enum(['ok', 'unavailable']),
  version: z.string(),
  uptime: z.number().describe('Seconds since the mock was made, by the clock that it was given'),
  worlds: countSchema.describe('The worlds in memory'),
  records: countSchema.describe('The streams and sessions of these worlds and their snapshots'),
  store: z.enum(['none', 'reachable', 'unreachable']),
});

export type Health = z.infer<typeof healthSchema>;

/** The operations of the control API. Their paths are below `/_mock`. */
export const controlOperations = {
  readHealth: operation('GET /health', 'Whether the mock can serve; 503 if it cannot', {
    isOpen: true,
    response: healthSchema,
  }),
  readMetrics: operation('GET /metrics', 'The same and counts of requests, for Prometheus', {
    isOpen: true,
    status: 200,
  }),
  listWorlds: operation(
    'GET /worlds',
    'The keys in use, if any key of the form test-… is accepted',
    {
      response: z.array(knownWorldSchema),
    },
  ),
  startSession: operation('POST /streams/{id}/start', 'An encoder connects: a session begins', {
    body: startSchema,
    status: 201,
    response: sessionSchema,
  }),
  stopSession: operation('POST /streams/{id}/stop', 'The encoder disconnects: the session ends', {
    response: sessionSchema,
  }),
  readClock: operation('GET /clock', "Read the world's clock", { response: clockSchema }),
  setClock: operation('POST /clock', "Advance or set the world's clock, or change its speed", {
    body: clockSettingSchema,
    response: clockSchema,
  }),
  listMoments: operation('GET /moments', 'What happened that sessions do not show', {
    response: z.array(momentSchema),
  }),
  resetWorld: operation('POST /reset', 'Reset the world to its initial state', {}),
  endWorld: operation(
    'DELETE /world',
    'End the world: the next request with its key begins a new one',
    {},
  ),
  exportState: operation('GET /state', 'Export everything that the world holds', {
    query: [{ name: 'journal', description: '1: with the journal', schema: { enum: ['1'] } }],
    isState: true,
    response: exportedStateSchema,
  }),
  importState: operation('PUT /state', 'Replace the world with an exported state', {
    body: exportedStateSchema,
    isState: true,
  }),
  listSnapshots: operation('GET /snapshots', 'Names of the snapshots', {
    response: z.array(z.string()),
  }),
  saveSnapshot: operation('PUT /snapshots/{name}', 'Save the world as it is now under a name', {}),
  restoreSnapshot: operation('POST /snapshots/{name}/restore', 'Restore the world', {}),
  deleteSnapshot: operation('DELETE /snapshots/{name}', 'Delete a snapshot', {}),
  listRequests: operation('GET /requests', 'The last 1,000 exchanges of the world, oldest first', {
    query: exchangeQuery,
    response: z.array(exchangeSchema),
  }),
  exportHar: operation('GET /requests.har', 'The same as an HTTP archive, which browsers open', {
    query: exchangeQuery,
    response: z.looseObject({ log: z.looseObject({ version: z.literal('1.2') }) }),
  }),
  listFaults: operation('GET /faults', 'List the faults, and how many requests each has matched', {
    response: z.array(faultReportSchema),
  }),
  addFault: operation('POST /faults', 'Add a fault', {
    body: faultSchema,
    status: 201,
    response: faultReportSchema,
  }),
  removeFault: operation('DELETE /faults/{id}', 'Remove a fault', { response: faultReportSchema }),
  removeFaults: operation('DELETE /faults', 'Remove all faults', {
    response: z.array(faultReportSchema),
  }),
  readEvidence: operation('GET /evidence', 'What the variants of the mock have changed so far', {
    response: variantEvidenceSchema,
  }),
  readIngest: operation('GET /ingest', 'Where encoders and cameras go live, and which do', {
    response: ingestReportSchema,
  }),
  watchWorld: operation('GET /events', 'Server-sent events that name what has changed', {
    status: 200,
  }),
} as const satisfies Readonly<Record<string, Operation>>;

/** Name of an operation of the control API. */
export type ControlOperationName = keyof typeof controlOperations;

/** Name of an operation that needs no API key, and belongs to no world. */
export type OpenOperationName = {
  [Name in ControlOperationName]: (typeof controlOperations)[Name] extends { readonly isOpen: true }
    ? Name
    : never;
}[ControlOperationName];

/** Whether an operation needs no API key, and belongs to no world. */
export function isOpenOperation(name: ControlOperationName): name is OpenOperationName {
  const { isOpen }: Operation = controlOperations[name];
  return isOpen === true;
}

/** The paths, below `/_mock`, of what needs no API key. */
export const openPaths: ReadonlySet<string> = new Set(
  Object.values<Operation>(controlOperations).flatMap(({ isOpen, path }) => (isOpen ? [path] : [])),
);
