import * as z from 'zod';
import type { InterfaceOperationName } from './operation-names.ts';
import { playbackInfoSchema, sessionSchema, streamSchema } from './schemas.ts';

/** One operation of the interface or of the control API. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API prefix, or below `/_mock` for the control API; parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** The clause of the interface that states it; absent if the operation is beyond the interface. */
  readonly clause?: string;
  readonly query?: readonly QueryParameter[];
  /** Schema of the body, if it is not read by the table of fields. Without either, a body is ignored. */
  readonly body?: z.ZodType;
  /** Whether it needs no API key, and may be used by pages of any origin. */
  readonly isOpen?: true;
  /** Whether its body or its response is an exported state, which is written as lines. */
  readonly isState?: true;
  /** Status of the response to a request that succeeds. */
  readonly status: number;
  /** Schema of that response's JSON. */
  readonly response?: z.ZodType;
}

/** A query parameter, as OpenAPI describes it. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

/** How many items a page of a list can have. */
export const pageLimit = { minimum: 1, maximum: 1000, default: 100 } as const;

function parameter(name: string, description: string, schema: object = {}): QueryParameter {
  return { name, description, schema: { type: 'string', ...schema } };
}

const pagingParameters: readonly QueryParameter[] = [
  parameter('limit', 'Maximum number of records on the page', { type: 'integer', ...pageLimit }),
  parameter('cursor', 'Where the page begins: from the Link header of the page before'),
];

/** What clients of Livepeer send, beyond the interface. */
const filtersAndOrder: readonly QueryParameter[] = [
  parameter('active', 'Beyond the interface. true: only what is live', { enum: ['true', 'false'] }),
  parameter(
    'order',
    'Beyond the interface. Fields to sort by, each with -true (descending) or -false (ascending)',
    { examples: ['createdAt-true', 'name-false,createdAt-true'] },
  ),
  parameter(
    'filters',
    'Beyond the interface. JSON: an array of {"id","value"}, with the name of a field',
    { examples: ['[{"id":"record","value":true}]'] },
  ),
];

const recordFilter = parameter(
  'record',
  '1 or true: recorded sessions; 0 or false: the others; anything else: both',
  { examples: ['1'] },
);

/** Defines an operation. Its status is 200 with a response and 204 without one, unless it says otherwise. */
export function operation<Details extends Partial<Operation>>(
  route: `${Operation['method']} ${string}`,
  summary: string,
  details: Details,
) {
  const [method, path] = route.split(' ') as [Operation['method'], string];
  return { method, path, summary, status: details.response === undefined ? 204 : 200, ...details };
}

/** The operations of the interface; their paths lie below the API prefix. */
export const interfaceOperations = {
  createStream: operation('POST /stream', 'Create a stream', {
    clause: '4.1',
    status: 201,
    response: streamSchema,
  }),
  listStreams: operation('GET /stream', 'List the parent streams, newest first', {
    clause: '4.4',
    query: [...filtersAndOrder, ...pagingParameters],
    response: z.array(streamSchema),
  }),
  retrieveStream: operation(
    'GET /stream/{id}',
    'Retrieve a stream; the id of a session retrieves that session',
    { clause: '4.4', response: z.union([streamSchema, sessionSchema]) },
  ),
  updateStream: operation('PATCH /stream/{id}', 'Change a stream, but never its record', {}),
  deleteStream: operation('DELETE /stream/{id}', 'Delete a stream with its sessions', {}),
  setRecord: operation('PATCH /stream/{id}/record', 'Turn recording of future sessions on or off', {
    clause: '4.2',
  }),
  listSessionsOfStream: operation(
    'GET /stream/{parentId}/sessions',
    'List the sessions of a stream, newest first',
    {
      clause: '4.3',
      query: [recordFilter, ...filtersAndOrder, ...pagingParameters],
      response: z.array(sessionSchema),
    },
  ),
  listSessions: operation('GET /session', 'List the sessions, newest first', {
    clause: '4.4',
    query: [
      parameter('parentId', 'Only the sessions of this stream'),
      recordFilter,
      ...filtersAndOrder,
      ...pagingParameters,
    ],
    response: z.array(sessionSchema),
  }),
  retrieveSession: operation('GET /session/{id}', 'Retrieve a session', {
    clause: '4.4',
    response: sessionSchema,
  }),
  terminateStream: operation(
    'DELETE /stream/{id}/terminate',
    'End the live session of a stream',
    {},
  ),
  retrievePlayback: operation(
    'GET /playback/{playbackId}',
    'Where a player finds a stream; the id of a session finds its recording',
    { response: playbackInfoSchema },
  ),
} as const satisfies Readonly<Record<InterfaceOperationName, Operation>>;
