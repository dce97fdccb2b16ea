import { refusalStatuses } from '../default-responses.ts';
import type { Json } from '../json.ts';
import { pageLimit } from '../operations.ts';
import { sdkFields } from '../types.ts';
import { type Endpoint, isBodyOperation } from './errors.ts';
import { allFieldsOf, type Field, type Fields, type FieldType } from './fields.ts';

/**
 * The body of a refusal: `empty`, a text of some content type, or JSON. In JSON, `{message}` stands for a
 * sentence about the request, and `{status}` for the number of the status.
 */
export type RefusalBody = 'empty' | { readonly type: string; readonly json?: Json };

/** How a request is refused. Without `body`, it has the `refusalBody` of the dialect. */
export interface Refusal {
  /** From 400 to 599. */
  readonly status: number;
  readonly body?: RefusalBody;
}

/**
 * The two values between which a limit lies. For a maximum, values up to `above` are accepted, and values from
 * `below` are refused; for a minimum it is the other way round. What happens in between is unknown: the mock
 * refuses it.
 */
export interface LimitBounds {
  readonly above?: number;
  readonly below?: number;
}

/** How a wrong value or request can be accepted. */
export const acceptedAs = [
  'accepted',
  'kept',
  'dropped',
  'boolean',
  'number',
  'text',
  'truncated',
  'done',
  'empty',
  'session',
] as const;
export type AcceptedAs = (typeof acceptedAs)[number];

/** The statuses of a redirect that keeps to the method or to GET. */
export const redirectStatuses = [301, 302, 307, 308] as const;

/** How a wrong request is accepted: as what, with which constant, or by a redirect to the right path. */
export type Acceptance =
  | { readonly as: AcceptedAs }
  | { readonly constant: Json }
  | { readonly redirect: (typeof redirectStatuses)[number] };

/** What happens to one error of one operation. */
export type Cell = (Refusal | Acceptance) & LimitBounds;

/** Whether a cell refuses the request. */
export function isRefusal(cell: Cell): cell is Refusal & LimitBounds {
  return 'status' in cell;
}

/** Whether a cell keeps what was sent. */
export function isKept(cell: Cell | undefined): boolean {
  return cell !== undefined && 'as' in cell && cell.as === 'kept';
}

/** Whether a measure is beyond the limit of a cell. Anything is beyond a limit without bounds. */
export function isBeyond(error: string, measure: number, { above, below }: LimitBounds): boolean {
  if (above === undefined || below === undefined) return true;
  return error.endsWith(':small') ? measure < below : measure > above;
}

/** A way to accept an error. */
export type AcceptanceKind = AcceptedAs | 'constant' | 'redirect';

/** What can happen to some errors. */
interface ErrorRule {
  /** Matches their ids, such as `key:wrong`. */
  readonly errors: RegExp;
  /** What the mock does without a dialect. */
  readonly defaultCell: Cell;
  /**
   * How they can be accepted, preferred first: `learn` writes the first that explains what it saw. Without any, the
   * type of the field decides.
   */
  readonly acceptances: readonly AcceptanceKind[];
}

function rule(errors: RegExp, defaultCell: Cell, ...acceptances: readonly AcceptanceKind[]) {
  return { errors, defaultCell, acceptances };
}

const keptCell: Cell = { as: 'kept' };
const droppedCell: Cell = { as: 'dropped' };
const acceptedCell: Cell = { as: 'accepted' };

/** A refusal with the status of a code. */
function refused(code: keyof typeof refusalStatuses, limit: LimitBounds = {}): Cell {
  return { status: refusalStatuses[code], ...limit };
}

const invalidCell = refused('invalid');

/** How many levels of arrays and objects a body may have without a dialect. */
export const defaultBodyDepth = 32;

/** What can happen to the errors of any operation. The first rule that fits counts, so narrow rules come before wide ones. */
const errorRules: readonly ErrorRule[] = [
  rule(/^key:scheme-case$/, acceptedCell, 'accepted'),
  rule(/^key:/, refused('unauthorized'), 'accepted'),
  rule(/^body:large$/, refused('too-large', { above: 102_400, below: 262_144 }), 'accepted'),
  rule(/^body:type:vendor$/, acceptedCell, 'accepted'),
  rule(/^body:deep$/, refused('malformed', { above: defaultBodyDepth, below: 128 }), 'accepted'),
  rule(/^body:(type|charset|encoding)/, refused('unsupported-type'), 'accepted'),
  rule(/^body:(empty|unknown)$/, acceptedCell, 'accepted'),
  rule(/^body:(cut|malformed|bytes)$/, refused('malformed'), 'accepted'),
  rule(/^body:/, invalidCell, 'accepted'),
  rule(/^query:unknown:given$/, droppedCell, 'dropped'),
  rule(/^query:\w+:given$|^query:parentId:/, keptCell, 'kept', 'dropped'),
  rule(/^query:record:/, keptCell, 'kept'),
  rule(
    /^query:limit:large$/,
    refused('invalid', { above: pageLimit.maximum, below: 5_000 }),
    'kept',
  ),
  rule(/^query:active:(other|empty)$/, invalidCell, 'dropped', 'kept'),
  rule(/^query:limit:(fraction|suffix)$/, invalidCell, 'dropped', 'truncated'),
  rule(/^query:/, invalidCell, 'dropped', 'empty'),
  rule(/^id:/, refused('unknown'), 'done'),
  rule(/^state:live-same$/, acceptedCell, 'accepted'),
  rule(/^state:live$/, refused('not-allowed'), 'accepted'),
  rule(/^state:idle$/, { as: 'done' }, 'done'),
  rule(/^operation:given$/, acceptedCell, 'accepted'),
  rule(/^path:(trailing-slash|encoded-letter)$/, acceptedCell, 'accepted', 'redirect'),
  rule(/^path:unknown$|^method:/, refused('unknown')),
  rule(/^path:/, refused('unknown'), 'accepted', 'redirect'),
  rule(/^field:read-only:given$/, invalidCell, 'dropped'),
  rule(/^field:(profiles\[\]\.)?unknown:given$/, invalidCell, 'kept', 'dropped'),
  rule(/:given$/, keptCell, 'kept', 'dropped'),
  rule(/^field:profiles:null$/, invalidCell, 'kept'),
  rule(/^field:profiles:none$/, keptCell, 'kept'),
  rule(/^field:profiles:equal$/, refused('not-allowed'), 'kept', 'dropped'),
  rule(/^field:profiles:/, invalidCell, 'kept', 'dropped'),
  rule(/^field:profiles\[\]:/, invalidCell, 'kept', 'constant'),
  rule(/:(empty|characters|nul|reserved|unusual|small)$|^field:name:large$/, keptCell),
  rule(/:large$/, refused('invalid', { above: Number.MAX_SAFE_INTEGER, below: 2 ** 53 })),
  rule(new RegExp(`^field:(${sdkFields.join('|')}):`), keptCell),
  rule(/^field:/, invalidCell),
];

const notFound = rule(/^id:/, refused('unknown'));
const showsSession = rule(/^id:session$/, { as: 'session' }, 'session');
const keepsSession = rule(/^id:session$/, refused('not-allowed'), 'done');

/** What can happen to some errors of one operation. These rules come first. */
const rulesOf: Readonly<Partial<Record<Endpoint, readonly ErrorRule[]>>> = {
  retrieveStream: [showsSession, notFound],
  updateStream: [
    keepsSession,
    rule(/^field:(record|unknown):given$/, invalidCell, 'kept', 'dropped'),
    rule(/^field:profiles:null$/, invalidCell, 'kept', 'dropped'),
  ],
  deleteStream: [keepsSession, rule(/^state:live$/, acceptedCell, 'accepted')],
  setRecord: [keepsSession, rule(/^field:unknown:given$/, droppedCell, 'dropped')],
  listSessionsOfStream: [rule(/^id:/, refused('unknown'), 'empty')],
  retrieveSession: [notFound],
  terminateStream: [keepsSession],
  retrievePlayback: [showsSession, notFound],
};

function ruleFor(endpoint: Endpoint, error: string): ErrorRule {
  const rules = [...(rulesOf[endpoint] ?? []), ...errorRules];
  const matchingRule = rules.find(({ errors }) => errors.test(error));
  if (matchingRule === undefined) throw new Error(`no rule for ${error} of ${endpoint}`);
  return matchingRule;
}

/** What the mock does about an error without a dialect. */
export function defaultCell(endpoint: Endpoint, error: string): Cell {
  return ruleFor(endpoint, error).defaultCell;
}

/** The ways in which an error can be accepted. */
export function acceptanceKindsFor(endpoint: Endpoint, error: string): readonly AcceptanceKind[] {
  const { acceptances } = ruleFor(endpoint, error);
  const [, path = '', kind = ''] = error.split(':');
  const fields = isBodyOperation(endpoint) ? allFieldsOf(endpoint) : [];
  const type = fields.find((field) => field.path === path)?.type;
  if (acceptances.length > 0 || type === undefined) return acceptances;
  const kinds: AcceptanceKind[] = ['kept'];
  if (kind !== 'missing') kinds.push('dropped', ...(conversionsByType[type] ?? []));
  return type === 'boolean' ? kinds : [...kinds, 'constant'];
}

/** The fields that a service keeps, by what it does about errors, with their names. */
export function keptFields(fields: Fields, cells: ReadonlyMap<string, Cell>): [string, Field][] {
  return [...fields].filter(([, { errors }]) => {
    const givenError = errors.get('given');
    return givenError === undefined || isKept(cells.get(givenError));
  });
}

/** What a wrong value can be turned into, by the type of its field. */
const conversionsByType: Readonly<Partial<Record<FieldType, readonly AcceptanceKind[]>>> = {
  text: ['text'],
  rendition: ['text'],
  positive: ['number'],
  nonNegative: ['number'],
  boolean: ['boolean'],
};

/** What an accepted value becomes; `undefined` if it is dropped. */
export function convert(cell: Acceptance, value: Json | undefined): Json | undefined {
  if ('constant' in cell) return cell.constant;
  if ('redirect' in cell) return value;
  switch (cell.as) {
    case 'dropped':
      return undefined;
    case 'boolean':
      return typeof value === 'string' ? value !== 'false' && value !== '' : Boolean(value);
    case 'number':
      // JSON has no other numbers.
      return Number.isFinite(Number(value)) ? Number(value) : null;
    case 'text':
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
    case 'truncated':
      return Math.trunc(Number(value));
    default:
      return value;
  }
}
