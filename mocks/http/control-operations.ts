import * as z from 'zod';
import type { OperationShape } from '../../interface/operation.ts';
import { sessionSchema, startSchema } from '../../interface/schemas.ts';
import { faultReportSchema, faultSchema } from '../faults/schema.ts';
import { exchangeSchema } from '../journal/exchange-schema.ts';
import { exchangeQuery } from '../journal/filter.ts';
import { snapshotSchema } from '../service/export-import.ts';
import { durationSchema } from '../state/duration.ts';

const advanceSchema = z.strictObject(
  { advance: durationSchema },
  'an object with no key but advance',
);

const timeSchema = z.strictObject({ now: z.int().describe('Milliseconds since 1970') });

/** Names of the control API's operations. */
export type ControlOperationName =
  | 'startSession'
  | 'stopSession'
  | 'readClock'
  | 'advanceClock'
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
  | 'watchWorld';

/** The operations of the control API; their paths lie below `/_mock`. */
export const controlOperations: Readonly<Record<ControlOperationName, OperationShape>> = {
  startSession: {
    method: 'POST',
    path: '/streams/{id}/start',
    summary: 'An encoder connects: a session begins',
    body: startSchema,
    status: 201,
    answer: sessionSchema,
  },
  stopSession: {
    method: 'POST',
    path: '/streams/{id}/stop',
    summary: 'The encoder disconnects: the live session ends',
    status: 200,
    answer: sessionSchema,
  },
  readClock: {
    method: 'GET',
    path: '/clock',
    summary: "Read the world's clock",
    status: 200,
    answer: timeSchema,
  },
  advanceClock: {
    method: 'POST',
    path: '/clock',
    summary: "Move the world's clock on",
    body: advanceSchema,
    status: 200,
    answer: timeSchema,
  },
  resetWorld: {
    method: 'POST',
    path: '/reset',
    summary: 'Put the world back to where it started',
    status: 204,
  },
  exportState: {
    method: 'GET',
    path: '/state',
    summary: 'Export all that the world holds',
    query: [
      {
        name: 'journal',
        description: '1: with what clients have sent and been answered',
        schema: { type: 'string', enum: ['1'] },
      },
    ],
    status: 200,
    answer: snapshotSchema,
  },
  importState: {
    method: 'PUT',
    path: '/state',
    summary: 'Replace all that the world holds by an exported state',
    body: snapshotSchema,
    largeBody: true,
    status: 204,
  },
  listSnapshots: {
    method: 'GET',
    path: '/snapshots',
    summary: 'Names of the snapshots that were saved',
    status: 200,
    answer: z.array(z.string()),
  },
  saveSnapshot: {
    method: 'PUT',
    path: '/snapshots/{name}',
    summary: 'Keep the world as it is now under a name',
    status: 204,
  },
  restoreSnapshot: {
    method: 'POST',
    path: '/snapshots/{name}/restore',
    summary: 'Put the world back to what was saved under a name',
    status: 204,
  },
  deleteSnapshot: {
    method: 'DELETE',
    path: '/snapshots/{name}',
    summary: 'Forget a snapshot',
    status: 204,
  },
  listRequests: {
    method: 'GET',
    path: '/requests',
    summary: 'The last 1,000 exchanges of the world, oldest first',
    query: exchangeQuery,
    status: 200,
    answer: z.array(exchangeSchema),
  },
  exportHar: {
    method: 'GET',
    path: '/requests.har',
    summary: 'The same as an HTTP archive, which browsers open',
    query: exchangeQuery,
    status: 200,
    answer: z.looseObject({ log: z.looseObject({ version: z.literal('1.2') }) }),
  },
  listFaults: {
    method: 'GET',
    path: '/faults',
    summary: 'The faults, and how many requests each has met',
    status: 200,
    answer: z.array(faultReportSchema),
  },
  addFault: {
    method: 'POST',
    path: '/faults',
    summary: 'Have something go wrong from now on',
    body: faultSchema,
    status: 201,
    answer: faultReportSchema,
  },
  removeFault: {
    method: 'DELETE',
    path: '/faults/{id}',
    summary: 'End a fault',
    status: 200,
    answer: faultReportSchema,
  },
  removeFaults: {
    method: 'DELETE',
    path: '/faults',
    summary: 'End all faults',
    status: 200,
    answer: z.array(faultReportSchema),
  },
  watchWorld: {
    method: 'GET',
    path: '/events',
    summary: 'Server-sent events that say what has changed',
    status: 200,
  },
};
