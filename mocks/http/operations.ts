import * as z from 'zod';
import {
  newStreamSchema,
  recordSwitchSchema,
  sessionSchema,
  startSchema,
  streamSchema,
} from '../../fixtures/schema.ts';
import { durationForm } from '../clock.ts';
import { snapshotSchema } from '../snapshot.ts';

/** One operation of the interface, or of the control API beside it. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Whether the path lies below the API prefix or below `/_mock`. */
  readonly area: 'interface' | 'control';
  readonly path: string;
  readonly summary: string;
  readonly query?: readonly QueryParameter[];
  readonly body?: z.ZodType;
  /** Bytes that a body may have, where it is not what every operation allows. */
  readonly bodyLimit?: number;
  readonly status: number;
  readonly answer?: z.ZodType;
}

interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

/** Records on a page of a list. */
export const pageLimit = { minimum: 1, maximum: 1000, default: 100 } as const;

const paging: readonly QueryParameter[] = [
  {
    name: 'limit',
    description: 'At most so many',
    schema: { type: 'integer', ...pageLimit },
  },
  {
    name: 'cursor',
    description: 'Continues a list; the Link header of a full page holds it',
    schema: { type: 'string' },
  },
];

const recordFilter: QueryParameter = {
  name: 'record',
  description: '1 or true: recorded sessions; 0 or false: the others; anything else: both',
  schema: { type: 'string', examples: ['1'] },
};

const advanceSchema = z.strictObject(
  {
    advance: z
      .union([z.number(), z.string()], durationForm)
      .describe(`How far to move on: ${durationForm}`),
  },
  'an object with no key but advance',
);

const timeSchema = z.strictObject({ now: z.int().describe('Milliseconds since 1970') });

/** Names of the operations. */
export type OperationName =
  | 'createStream'
  | 'listStreams'
  | 'retrieveStream'
  | 'deleteStream'
  | 'setRecord'
  | 'listSessionsOfStream'
  | 'listSessions'
  | 'retrieveSession'
  | 'startSession'
  | 'stopSession'
  | 'readClock'
  | 'advanceClock'
  | 'resetWorld'
  | 'exportState'
  | 'importState';

/** Every operation that takes an API key: for routing, for messages and for OpenAPI. */
export const operations: Readonly<Record<OperationName, Operation>> = {
  createStream: {
    method: 'POST',
    area: 'interface',
    path: '/stream',
    summary: 'Create a stream',
    body: newStreamSchema,
    status: 201,
    answer: streamSchema,
  },
  listStreams: {
    method: 'GET',
    area: 'interface',
    path: '/stream',
    summary: 'List the parent streams, newest first',
    query: paging,
    status: 200,
    answer: z.array(streamSchema),
  },
  retrieveStream: {
    method: 'GET',
    area: 'interface',
    path: '/stream/{id}',
    summary: 'Retrieve a stream; the id of a session retrieves that session',
    status: 200,
    answer: z.union([streamSchema, sessionSchema]),
  },
  deleteStream: {
    method: 'DELETE',
    area: 'interface',
    path: '/stream/{id}',
    summary: 'Delete a stream with its sessions',
    status: 204,
  },
  setRecord: {
    method: 'PATCH',
    area: 'interface',
    path: '/stream/{id}/record',
    summary: 'Turn recording of future sessions on or off',
    body: recordSwitchSchema,
    status: 204,
  },
  listSessionsOfStream: {
    method: 'GET',
    area: 'interface',
    path: '/stream/{parentId}/sessions',
    summary: 'List the sessions of a stream, newest first',
    query: [recordFilter, ...paging],
    status: 200,
    answer: z.array(sessionSchema),
  },
  listSessions: {
    method: 'GET',
    area: 'interface',
    path: '/session',
    summary: 'List the sessions, newest first',
    query: [
      {
        name: 'parentId',
        description: 'Only the sessions of this stream',
        schema: { type: 'string' },
      },
      recordFilter,
      ...paging,
    ],
    status: 200,
    answer: z.array(sessionSchema),
  },
  retrieveSession: {
    method: 'GET',
    area: 'interface',
    path: '/session/{id}',
    summary: 'Retrieve a session',
    status: 200,
    answer: sessionSchema,
  },
  startSession: {
    method: 'POST',
    area: 'control',
    path: '/streams/{id}/start',
    summary: 'An encoder connects: a session begins',
    body: startSchema,
    status: 201,
    answer: sessionSchema,
  },
  stopSession: {
    method: 'POST',
    area: 'control',
    path: '/streams/{id}/stop',
    summary: 'The encoder disconnects: the live session ends',
    status: 200,
    answer: sessionSchema,
  },
  readClock: {
    method: 'GET',
    area: 'control',
    path: '/clock',
    summary: "Read the world's clock",
    status: 200,
    answer: timeSchema,
  },
  advanceClock: {
    method: 'POST',
    area: 'control',
    path: '/clock',
    summary: "Move the world's clock on",
    body: advanceSchema,
    status: 200,
    answer: timeSchema,
  },
  resetWorld: {
    method: 'POST',
    area: 'control',
    path: '/reset',
    summary: 'Put the world back to where it started',
    status: 204,
  },
  exportState: {
    method: 'GET',
    area: 'control',
    path: '/state',
    summary: 'Export all that the world holds',
    status: 200,
    answer: snapshotSchema,
  },
  importState: {
    method: 'PUT',
    area: 'control',
    path: '/state',
    summary: 'Replace all that the world holds by an exported state',
    body: snapshotSchema,
    bodyLimit: 256 * 1024 * 1024,
    status: 204,
  },
};

/** Where the control API lies, from the origin. */
export const controlPath = '/_mock';

/** The path of an operation from the origin, its parameters in braces. */
export function pathOf(operation: Operation, prefix: string): string {
  return (operation.area === 'control' ? controlPath : prefix) + operation.path;
}
