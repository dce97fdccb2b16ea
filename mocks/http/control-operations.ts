import * as z from 'zod';
import type { Operations } from '../../interface/operations.ts';
import { sessionSchema, startSchema } from '../../interface/schemas.ts';
import type { Fault } from '../faults/effects/effects.ts';
import { faultReportSchema, faultSchema } from '../faults/schema.ts';
import { exchangeSchema } from '../journal/exchange-schema.ts';
import { exchangeQuery } from '../journal/filter.ts';
import type { Moment } from '../service/moments.ts';
import { dialectSnapshotSchema, type Snapshot } from '../service/snapshot.ts';
import { type ClockSetting, clockSettingSchema, speedSchema } from '../state/clock-setting.ts';

const millisecondsSince1970 = z.int().describe('Milliseconds since 1970');

const clockSchema = z.strictObject({ now: millisecondsSince1970, speed: speedSchema });

const momentSchema: z.ZodType<Moment> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('recording'),
    at: millisecondsSince1970,
    streamId: z.string(),
    record: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('clock'),
    at: millisecondsSince1970,
    to: millisecondsSince1970,
  }),
]);

/** The operations of the control API; their paths lie below `/_mock`. */
export const controlOperations: Operations<
  | 'startSession'
  | 'stopSession'
  | 'readClock'
  | 'setClock'
  | 'listMoments'
  | 'resetWorld'
  | 'exportState'
  | 'importState'
  | 'listSnapshots'
  | 'saveSnapshot'
  | 'restoreSnapshot'
  | 'deleteSnapshot'
  | 'listRequests'
  | 'exportHar'
  | 'listFaults'
  | 'addFault'
  | 'removeFault'
  | 'removeFaults'
  | 'watchWorld',
  {
    startSession: { duration?: number } | undefined;
    setClock: ClockSetting;
    importState: Snapshot;
    addFault: Fault;
  }
> = {
  startSession: {
    method: 'POST',
    path: '/streams/{id}/start',
    summary: 'An encoder connects: a session begins',
    body: startSchema,
    status: 201,
    response: sessionSchema,
  },
  stopSession: {
    method: 'POST',
    path: '/streams/{id}/stop',
    summary: 'The encoder disconnects: the live session ends',
    status: 200,
    response: sessionSchema,
  },
  readClock: {
    method: 'GET',
    path: '/clock',
    summary: "Read the world's clock",
    status: 200,
    response: clockSchema,
  },
  setClock: {
    method: 'POST',
    path: '/clock',
    summary: "Advance or set the world's clock, or have it run faster, slower or not at all",
    body: clockSettingSchema,
    status: 200,
    response: clockSchema,
  },
  listMoments: {
    method: 'GET',
    path: '/moments',
    summary: 'The last 1,000 times that recording was switched or the clock moved, oldest first',
    status: 200,
    response: z.array(momentSchema),
  },
  resetWorld: {
    method: 'POST',
    path: '/reset',
    summary: 'Put the world back to its beginning',
    status: 204,
  },
  exportState: {
    method: 'GET',
    path: '/state',
    summary: 'Export everything that the world holds',
    query: [
      {
        name: 'journal',
        description: '1: with the requests of clients and their responses',
        schema: { type: 'string', enum: ['1'] },
      },
    ],
    isState: true,
    status: 200,
    response: dialectSnapshotSchema,
  },
  importState: {
    method: 'PUT',
    path: '/state',
    summary: 'Replace everything that the world holds with an exported state',
    body: dialectSnapshotSchema,
    isState: true,
    status: 204,
  },
  listSnapshots: {
    method: 'GET',
    path: '/snapshots',
    summary: 'Names of the snapshots',
    status: 200,
    response: z.array(z.string()),
  },
  saveSnapshot: {
    method: 'PUT',
    path: '/snapshots/{name}',
    summary: 'Save the world as it is now under a name',
    status: 204,
  },
  restoreSnapshot: {
    method: 'POST',
    path: '/snapshots/{name}/restore',
    summary: 'Restore the world from a snapshot',
    status: 204,
  },
  deleteSnapshot: {
    method: 'DELETE',
    path: '/snapshots/{name}',
    summary: 'Delete a snapshot',
    status: 204,
  },
  listRequests: {
    method: 'GET',
    path: '/requests',
    summary: 'The last 1,000 exchanges of the world, oldest first',
    query: exchangeQuery,
    status: 200,
    response: z.array(exchangeSchema),
  },
  exportHar: {
    method: 'GET',
    path: '/requests.har',
    summary: 'The same as an HTTP archive, which browsers open',
    query: exchangeQuery,
    status: 200,
    response: z.looseObject({ log: z.looseObject({ version: z.literal('1.2') }) }),
  },
  listFaults: {
    method: 'GET',
    path: '/faults',
    summary: 'List the faults, and how many requests each has matched',
    status: 200,
    response: z.array(faultReportSchema),
  },
  addFault: {
    method: 'POST',
    path: '/faults',
    summary: 'Add a fault',
    body: faultSchema,
    status: 201,
    response: faultReportSchema,
  },
  removeFault: {
    method: 'DELETE',
    path: '/faults/{id}',
    summary: 'Remove a fault',
    status: 200,
    response: faultReportSchema,
  },
  removeFaults: {
    method: 'DELETE',
    path: '/faults',
    summary: 'Remove all faults',
    status: 200,
    response: z.array(faultReportSchema),
  },
  watchWorld: {
    method: 'GET',
    path: '/events',
    summary: 'Watch the world: server-sent events that name what has changed',
    status: 200,
  },
};

/** Name of an operation of the control API. */
export type ControlOperationName = keyof typeof controlOperations;
