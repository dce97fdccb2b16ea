import type { Json } from '../json.ts';
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

/** How a wrong request is accepted: as what, with which constant, or by a redirect to the right path. */
export type Acceptance =
  | { readonly as: AcceptedAs }
  | { readonly constant: Json }
  | { readonly redirect: 301 | 302 | 307 | 308 };

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
type ErrorRule = readonly [
  /** Matches the operation and the error, such as `createStream key:wrong`. */
  errors: RegExp,
  /** What the mock does without a dialect. */
  usual: Cell,
  /**
   * How they can be accepted, preferred first: `learn` writes the first that explains what it saw. Without any, the
   * type of the field decides.
   */
  ...acceptances: readonly AcceptanceKind[],
];

const kept: Cell = { as: 'kept' };
const dropped: Cell = { as: 'dropped' };
const accepted: Cell = { as: 'accepted' };
const invalid: Cell = { status: 422 };
const largestNumber: Cell = { status: 422, above: Number.MAX_SAFE_INTEGER, below: 2 ** 53 };

/** What can happen to each error. The first rule that fits counts, so narrow rules come before wide ones. */
const errorRules: readonly ErrorRule[] = [
  [/ key:scheme-case$/, accepted, 'accepted'],
  [/ key:/, { status: 401 }, 'accepted'],
  [/ body:large$/, { status: 413, above: 102_400, below: 262_144 }, 'accepted'],
  [/ body:type:vendor$/, accepted, 'accepted'],
  [/ body:deep$/, { status: 400, above: 32, below: 128 }, 'accepted'],
  [/ body:(type|charset|encoding)/, { status: 415 }, 'accepted'],
  [/ body:(empty|unknown)$/, accepted, 'accepted'],
  [/ body:(cut|malformed|bytes)$/, { status: 400 }, 'accepted'],
  [/ body:/, invalid, 'accepted'],
  [/ query:unknown:given$/, dropped, 'dropped'],
  [/ query:\w+:given$| query:parentId:/, kept, 'kept', 'dropped'],
  [/ query:record:/, kept, 'kept'],
  [/ query:limit:large$/, { status: 422, above: 1_000, below: 5_000 }, 'kept'],
  [/ query:active:(other|empty)$/, invalid, 'dropped', 'kept'],
  [/ query:limit:(fraction|suffix)$/, invalid, 'dropped', 'truncated'],
  [/ query:/, invalid, 'dropped', 'empty'],
  [/^(retrieveStream|retrievePlayback) id:session$/, { as: 'session' }, 'session'],
  [/^(updateStream|deleteStream|setRecord|terminateStream) id:session$/, { status: 400 }, 'done'],
  [/^listSessionsOfStream id:/, { status: 404 }, 'empty'],
  [/^retrieve\w+ id:/, { status: 404 }],
  [/ id:/, { status: 404 }, 'done'],
  [/^deleteStream state:live$| state:live-same$/, accepted, 'accepted'],
  [/ state:live$/, { status: 400 }, 'accepted'],
  [/ state:idle$/, { as: 'done' }, 'done'],
  [/ operation:given$/, accepted, 'accepted'],
  [/ path:(trailing-slash|encoded-letter)$/, accepted, 'accepted', 'redirect'],
  [/ path:unknown$| method:/, { status: 404 }],
  [/ path:/, { status: 404 }, 'accepted', 'redirect'],
  [/^setRecord field:unknown:given$/, dropped, 'dropped'],
  [/^updateStream field:(record|unknown):given$/, invalid, 'kept', 'dropped'],
  [/ field:read-only:given$/, invalid, 'dropped'],
  [/ field:(profiles\[\]\.)?unknown:given$/, invalid, 'kept', 'dropped'],
  [/:given$/, kept, 'kept', 'dropped'],
  [/^updateStream field:profiles:null$/, invalid, 'kept', 'dropped'],
  [/ field:profiles:null$/, invalid, 'kept'],
  [/ field:profiles:none$/, kept, 'kept'],
  [/ field:profiles:equal$/, { status: 400 }, 'kept', 'dropped'],
  [/ field:profiles:/, invalid, 'kept', 'dropped'],
  [/ field:profiles\[\]:/, invalid, 'kept', 'constant'],
  [/:(empty|characters|nul|reserved|unusual|small)$| field:name:large$/, kept],
  [/:large$/, largestNumber],
  [/ field:(creatorId|playbackPolicy|userTags|recordingSpec|multistream|pull):/, kept],
  [/ field:/, invalid],
];

function ruleFor(endpoint: Endpoint, error: string): ErrorRule {
  const key = `${endpoint} ${error}`;
  const found = errorRules.find(([errors]) => errors.test(key));
  if (found === undefined) throw new Error(`no rule for ${key}`);
  return found;
}

/** What the mock does about an error without a dialect. */
export function defaultCell(endpoint: Endpoint, error: string): Cell {
  return ruleFor(endpoint, error)[1];
}

/** The ways in which an error can be accepted. */
export function acceptanceKindsFor(endpoint: Endpoint, error: string): readonly AcceptanceKind[] {
  const [, , ...acceptances] = ruleFor(endpoint, error);
  const [, path = '', kind = ''] = error.split(':');
  const fields = isBodyOperation(endpoint) ? allFieldsOf(endpoint) : [];
  const field = fields.find((one) => one.path === path);
  return acceptances.length > 0 || field === undefined
    ? acceptances
    : acceptanceKindsForField(field, kind);
}

/** The fields that a service keeps, by what it does about errors, with their names. */
export function keptFields(fields: Fields, cells: ReadonlyMap<string, Cell>): [string, Field][] {
  return [...fields].filter(([, { errors }]) => {
    const given = errors.get('given');
    return given === undefined || isKept(cells.get(given));
  });
}

/** What a wrong value can be turned into, by the type of its field. */
const conversions: Readonly<Partial<Record<FieldType, readonly AcceptanceKind[]>>> = {
  text: ['text'],
  rendition: ['text'],
  positive: ['number'],
  nonNegative: ['number'],
  boolean: ['boolean'],
};

function acceptanceKindsForField({ type }: Field, errorKind: string): readonly AcceptanceKind[] {
  const kinds: AcceptanceKind[] = ['kept'];
  if (errorKind !== 'missing') kinds.push('dropped', ...(conversions[type] ?? []));
  return type === 'boolean' ? kinds : [...kinds, 'constant'];
}

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

/** A rule that the interface states about errors: a service that breaks it fails a requirement of the suite. */
type StatedRule = readonly [
  /** Matches the operation and the error, such as `createStream key:wrong`. */
  errors: RegExp,
  requirement: string,
  /**
   * The value is valid: a service must keep it, or may refuse it, but may not replace it. `never`: a service may
   * do anything but keep it.
   */
  keep?: 'must' | 'or-refuse' | 'never',
  /** The value nearest to a limit that the suite sends. */
  sends?: number,
];

const statedRules: readonly StatedRule[] = [
  [/^createStream key:(none|empty)$/, 'AUTH-1'],
  [/^createStream key:(scheme|bare|wrong)$/, 'AUTH-4'],
  [/^createStream field:name:missing$/, 'CREATE-14'],
  [/^createStream field:name:(null|number|boolean|array|object)$/, 'CREATE-17'],
  [/^createStream field:profiles:(text|number|boolean|object)$/, 'CREATE-18'],
  [/^createStream field:profiles\[\]:(text|number|boolean|array)$/, 'CREATE-18'],
  [/^createStream body:(malformed|cut)$/, 'CREATE-22'],
  [/^createStream field:name:characters$/, 'CREATE-3', 'or-refuse'],
  [/^createStream field:name:large$/, 'CREATE-3', 'or-refuse', 300],
  [/^createStream field:profiles\[\]\.name:unusual$/, 'CREATE-4', 'or-refuse'],
  [/^createStream field:profiles\[\]\.bitrate:small$/, 'CREATE-4', 'or-refuse', 64_001],
  [/^createStream field:profiles\[\]\.bitrate:large$/, 'CREATE-4', 'or-refuse', 3_000_000],
  [/^createStream field:profiles\[\]\.fps:small$/, 'CREATE-4', 'or-refuse', 1],
  [/^createStream field:profiles\[\]\.fps:large$/, 'CREATE-4', 'or-refuse', 60],
  [/^createStream field:profiles\[\]\.(width|height):small$/, 'CREATE-4', 'or-refuse', 16],
  [/^createStream field:profiles\[\]\.width:large$/, 'CREATE-4', 'or-refuse', 1_922],
  [/^createStream field:profiles\[\]\.height:large$/, 'CREATE-4', 'or-refuse', 802],
  [/^setRecord key:(none|empty)$/, 'AUTH-2'],
  [/^setRecord key:(scheme|bare|wrong)$/, 'AUTH-5'],
  // An almost right key is a wrong key, too.
  [/^setRecord key:(wrong|cut|extended)$/, 'AUTH-8'],
  [/^setRecord field:record:missing$/, 'RECORD-12'],
  [
    /^setRecord field:record:(null|boolean-text|text|boolean-number|number|array|object)$/,
    'RECORD-13',
  ],
  [/^setRecord id:(unknown|malformed)$/, 'RECORD-14'],
  [/^setRecord id:session$/, 'RECORD-10'],
  [/^updateStream field:record:given$/, 'RECORD-16', 'never'],
  [/^listSessionsOfStream key:(none|empty)$/, 'AUTH-3'],
  [/^listSessionsOfStream key:(scheme|bare|wrong)$/, 'AUTH-6'],
  [/^listSessionsOfStream key:(wrong|cut|extended)$/, 'AUTH-9'],
  [/^listSessionsOfStream query:record:given$/, 'LIST-3', 'must'],
];

/** The requirements that a cell breaks: it accepts what the interface forbids, or refuses what it allows. */
export function requirementsBroken(endpoint: Endpoint, error: string, cell: Cell): string[] {
  return statedRules
    .filter((rule) => rule[0].test(`${endpoint} ${error}`) && isBroken(rule, error, cell))
    .map(([, requirement]) => requirement);
}

function isBroken([, , keep, sends]: StatedRule, error: string, cell: Cell): boolean {
  if (sends !== undefined && !isBeyond(error, sends, cell)) return false;
  const isRefused = isRefusal(cell) && cell.status < 500;
  // The value has the right type, so a conversion does not change it.
  const isKept = 'as' in cell && ['kept', 'text', 'number'].includes(cell.as);
  if (keep === 'never') return isKept;
  return !((isRefused && keep !== 'must') || (isKept && keep !== undefined));
}
