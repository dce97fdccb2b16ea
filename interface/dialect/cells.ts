import { refusalStatuses } from '../default-responses.ts';
import type { Json } from '../json.ts';

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

interface AcceptanceWords {
  readonly meaning: string;
  /** What is said of an error that is accepted so, after "is". */
  readonly participle: string;
}

/** How a wrong value or request can be accepted. */
export const acceptanceWords = {
  accepted: {
    meaning: 'The request is accepted as if nothing were wrong.',
    participle: 'accepted',
  },
  kept: {
    meaning:
      'The value is kept, and shown as it was sent, unless profiles.default says what null means; a parameter has its effect.',
    participle: 'kept',
  },
  dropped: {
    meaning: 'The value is ignored, as if it had not been sent.',
    participle: 'dropped',
  },
  boolean: {
    meaning: 'The value is turned into true or false.',
    participle: 'turned into a boolean',
  },
  number: { meaning: 'The value is turned into a number.', participle: 'turned into a number' },
  text: { meaning: 'The value is turned into a string.', participle: 'turned into a text' },
  trimmed: {
    meaning: 'Spaces at both ends of the string are removed.',
    participle: 'trimmed',
  },
  truncated: { meaning: 'The number is read as far as it is whole.', participle: 'truncated' },
  rounded: { meaning: 'The number is rounded to a whole one.', participle: 'rounded' },
  'in-array': {
    meaning: 'The value counts as the only element of an array.',
    participle: 'put into an array',
  },
  done: {
    meaning: 'The response is that of a success, but nothing changes.',
    participle: 'answered like a success, but changes nothing',
  },
  'carried-out': {
    meaning: 'The request succeeds, and changes what the id names, whoever owns that.',
    participle: 'carried out',
  },
  empty: { meaning: 'The response is an empty list.', participle: 'answered with an empty list' },
  session: { meaning: 'The response shows the session.', participle: 'answered with the session' },
} as const satisfies Record<string, AcceptanceWords>;

/** A way to accept an error that a word says. */
export type AcceptedAs = keyof typeof acceptanceWords;

export const acceptedAs = Object.keys(acceptanceWords) as readonly AcceptedAs[];

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

/** Whether a cell carries out a request, although its id is not one that it should have. */
export function isCarriedOut(cell: Cell): boolean {
  return 'as' in cell && cell.as === 'carried-out';
}

/** Whether a cell counts only beyond a limit. */
export function hasBounds(cell: Cell): cell is Cell & Required<LimitBounds> {
  return cell.above !== undefined && cell.below !== undefined;
}

/** Whether a measure is beyond the limit of a cell. Anything is beyond a limit without bounds. */
export function isBeyond(error: string, measure: number, { above, below }: LimitBounds): boolean {
  if (above === undefined || below === undefined) return true;
  return error.endsWith(':small') ? measure < below : measure > above;
}

/** A way to accept an error. */
export type AcceptanceKind = AcceptedAs | 'constant' | 'redirect';

/** What can happen to an error. It stands beside the meaning of the error, in `errors.ts` or `fields.ts`. */
export interface ErrorRule {
  /** What the mock does without a dialect. */
  readonly defaultCell: Cell;
  /** How it can be accepted, preferred first: `learn` writes the first that explains what it saw. */
  readonly acceptances: readonly AcceptanceKind[];
}

/** An error that is refused without a dialect, with the status of a code, perhaps only beyond a limit. */
export function refusedCell(
  code: keyof typeof refusalStatuses,
  limit: Required<LimitBounds> | undefined = undefined,
): Refusal & LimitBounds {
  return { status: refusalStatuses[code], ...limit };
}

/** An error that is refused without a dialect, and can be accepted in these ways. */
export function refused(
  code: keyof typeof refusalStatuses,
  ...acceptances: readonly AcceptanceKind[]
): ErrorRule {
  return { defaultCell: refusedCell(code), acceptances };
}

/** An error that is accepted without a dialect in the first of these ways. */
export function accepted(...acceptances: readonly [AcceptedAs, ...AcceptanceKind[]]): ErrorRule {
  return { defaultCell: { as: acceptances[0] }, acceptances };
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
    case 'trimmed':
      return typeof value === 'string' ? value.trim() : value;
    case 'truncated':
      return whole(value, Math.trunc);
    case 'rounded':
      return whole(value, Math.round);
    case 'in-array':
      return [value ?? null];
    default:
      return value;
  }
}

/** A number as a whole one; any other value as it is. */
function whole(value: Json | undefined, toWhole: (value: number) => number): Json | undefined {
  return typeof value === 'number' ? toWhole(value) : value;
}
