import * as z from 'zod';
import type { OperationShape, QueryParameter } from './operation.ts';
import type { InterfaceOperationName } from './operation-names.ts';
import { newStreamSchema, recordSwitchSchema, sessionSchema, streamSchema } from './schemas.ts';

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

/** The operations of the interface; their paths lie below the API prefix. */
export const interfaceOperations: Readonly<Record<InterfaceOperationName, OperationShape>> = {
  createStream: {
    method: 'POST',
    path: '/stream',
    summary: 'Create a stream',
    body: newStreamSchema,
    status: 201,
    answer: streamSchema,
  },
  listStreams: {
    method: 'GET',
    path: '/stream',
    summary: 'List the parent streams, newest first',
    query: paging,
    status: 200,
    answer: z.array(streamSchema),
  },
  retrieveStream: {
    method: 'GET',
    path: '/stream/{id}',
    summary: 'Retrieve a stream; the id of a session retrieves that session',
    status: 200,
    answer: z.union([streamSchema, sessionSchema]),
  },
  deleteStream: {
    method: 'DELETE',
    path: '/stream/{id}',
    summary: 'Delete a stream with its sessions',
    status: 204,
  },
  setRecord: {
    method: 'PATCH',
    path: '/stream/{id}/record',
    summary: 'Turn recording of future sessions on or off',
    body: recordSwitchSchema,
    status: 204,
  },
  listSessionsOfStream: {
    method: 'GET',
    path: '/stream/{parentId}/sessions',
    summary: 'List the sessions of a stream, newest first',
    query: [recordFilter, ...paging],
    status: 200,
    answer: z.array(sessionSchema),
  },
  listSessions: {
    method: 'GET',
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
    path: '/session/{id}',
    summary: 'Retrieve a session',
    status: 200,
    answer: sessionSchema,
  },
};
