import type { Asked } from './errors.ts';
import type { Json } from './json.ts';

/**
 * The body of a refusal: `empty`, a text of some content type, or JSON. In JSON the text `{message}`
 * stands for a sentence about the request, and the text `{status}` for the number of the status.
 */
export type RefusalBody = 'empty' | { readonly type: string; readonly json?: Json };

/** How a request is refused; without `body` the body has the usual form. */
export interface Refusal {
  /** From 400 to 599. */
  readonly status: number;
  readonly body?: RefusalBody;
}

/**
 * The two values between which a limit begins. A largest value is accepted up to `above`, and refused from
 * `below` on; a smallest one is refused up to `above`, and accepted from `below` on. What lies between is
 * not known: the mock refuses it.
 */
export interface LimitBounds {
  readonly above?: number;
  readonly below?: number;
}

/** What becomes of a wrong value that is accepted, and of one for which the request is carried out. */
export const acceptedAs = [
  'accepted',
  'kept',
  'dropped',
  'element-dropped',
  'array-dropped',
  'boolean',
  'number',
  'text',
  'rounded',
  'truncated',
  'done',
  'empty',
  'session',
] as const;
export type AcceptedAs = (typeof acceptedAs)[number];

/** A wrong request that is accepted: as what, or with which constant, or by a redirect to the right path. */
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

/** Whether a measure is beyond the limit of a cell; what lies between its bounds is, and all where it has none. */
export function isBeyond(error: string, measure: number, { above, below }: LimitBounds): boolean {
  if (above === undefined || below === undefined) return true;
  return error.endsWith(':small') ? measure < below : measure > above;
}

type Usual = readonly [pattern: RegExp, cell: Cell];

const kept: Cell = { as: 'kept' };
const dropped: Cell = { as: 'dropped' };
const accepted: Cell = { as: 'accepted' };
const invalid: Cell = { status: 422 };

/** What the mock does without a dialect, by operation and error: the first pattern that fits. */
const usual: readonly Usual[] = [
  [/ key:scheme-case$/, accepted],
  [/ key:/, { status: 401 }],
  [/ body:large$/, { status: 413, above: 102_400, below: 262_144 }],
  [/ body:type:vendor$/, accepted],
  [/ body:deep$/, { status: 400, above: 32, below: 128 }],
  [/ body:(type|charset|encoding)/, { status: 415 }],
  [/ body:(cut|malformed|bytes)$/, { status: 400 }],
  [/ body:/, invalid],
  [/ query:unknown:given$/, dropped],
  [/ query:\w+:given$| query:record:| query:parentId:/, kept],
  [/ query:limit:large$/, { status: 422, above: 1_000, below: 5_000 }],
  [/ query:/, invalid],
  [/^(retrieveStream|retrievePlayback) id:session$/, { as: 'session' }],
  [/^(updateStream|deleteStream|setRecord|terminateStream) id:session$/, { status: 400 }],
  [/ id:/, { status: 404 }],
  [/^deleteStream state:live$| state:live-same$/, accepted],
  [/ state:live$/, { status: 400 }],
  [/ state:idle$/, { as: 'done' }],
  [/ operation:given$| path:(trailing-slash|encoded-letter)$/, accepted],
  [/ (path|method):/, { status: 404 }],
  [/^setRecord field:unknown:given$/, dropped],
  [/^updateStream field:(record|unknown):given$| field:(profiles\[\]\.)?unknown:given$/, invalid],
  [/:(given|empty|none|characters|reserved|unusual|small)$| field:name:large$/, kept],
  [/:large$/, { status: 422, above: Number.MAX_SAFE_INTEGER, below: 2 ** 53 }],
  [/:equal$/, { status: 400 }],
  [/ field:/, invalid],
];

/** What the mock does about an error without a dialect. */
export function usualCell(asked: Asked, error: string): Cell {
  const key = `${asked} ${error}`;
  const found = usual.find(([pattern]) => pattern.test(key));
  if (found === undefined) throw new Error(`no usual cell for ${key}`);
  return found[1];
}

/** A rule that the interface states of errors: a service that does otherwise fails a requirement of the suite. */
type StatedRule = readonly [
  /** What it is about, by operation and error. */
  errors: RegExp,
  requirement: string,
  /** That it is no error: a service must keep the value, or may refuse it, but not take another instead. */
  keep?: 'must' | 'or-refuse',
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
  [/^setRecord key:(cut|extended)$/, 'AUTH-8'],
  [/^setRecord field:record:missing$/, 'RECORD-12'],
  [/^setRecord field:record:(null|truth|text|number|array|object)$/, 'RECORD-13'],
  [/^setRecord id:(unknown|malformed)$/, 'RECORD-14'],
  [/^setRecord id:session$/, 'RECORD-10'],
  [/^updateStream field:record:given$/, 'RECORD-16'],
  [/^listSessionsOfStream key:(none|empty)$/, 'AUTH-3'],
  [/^listSessionsOfStream key:(scheme|bare|wrong)$/, 'AUTH-6'],
  [/^listSessionsOfStream key:(cut|extended)$/, 'AUTH-9'],
  [/^listSessionsOfStream query:record:given$/, 'LIST-3', 'must'],
];

/** The requirement that a cell breaks: it accepts what the interface rules out, or the other way round. */
export function requirementBroken(asked: Asked, error: string, cell: Cell): string | undefined {
  const rule = statedRules.find(([errors]) => errors.test(`${asked} ${error}`));
  if (rule === undefined) return undefined;
  const [, requirement, keep, sends] = rule;
  if (sends !== undefined && !isBeyond(error, sends, cell)) return undefined;
  const isRefused = isRefusal(cell) && cell.status < 500;
  // What is sent has the right type, so a conversion keeps it.
  const isKept = 'as' in cell && ['kept', 'text', 'number'].includes(cell.as);
  const holds = (isRefused && keep !== 'must') || (isKept && keep !== undefined);
  return holds ? undefined : requirement;
}
