import { unusualNames, unusualProfiles } from '../unusual-inputs.ts';
import { type Cell, isBeyond, isCarriedOut, isRefusal } from './cells.ts';
import type { Endpoint, ErrorId } from './errors.ts';
import { profileNumbers } from './fields.ts';

/**
 * What a service may do with a value: it must keep it, may also refuse it, may do anything but keep it, must read it as
 * a boolean if it accepts it, must not accept it, whatever the status, or may accept it but not do what it asks for.
 */
type Keeping = 'must' | 'or-refuse' | 'never' | 'as-boolean' | 'not-accepted' | 'not-carried-out';

/**
 * A rule that the interface states about errors. The mock says which of them its dialect breaks, and may not import the
 * suite, so they stand here; by the id of the requirement, tests find out whether the suite agrees.
 */
interface StatedRule<Id extends string = string> {
  readonly errors: readonly ErrorId[];
  /** The id of the suite's requirement that a service fails if it breaks the rule. */
  readonly requirement: Id;
  /** Only for a value that a service may accept. */
  readonly keep: Keeping | undefined;
  /** The value nearest to a limit that the suite sends. */
  readonly sends: number | undefined;
}

function statedRule<const Id extends string>(
  errors: readonly ErrorId[],
  requirement: Id,
  keep?: Keeping,
  sends?: number,
): StatedRule<Id> {
  return { errors, requirement, keep, sends };
}

const longestName = Math.max(...unusualNames.map(({ length }) => length));

const longestProfileName = Math.max(...unusualProfiles.flat().map(({ name }) => name.length));

/** The suite sends values near the limits of each number of a profile. */
function rulesOfLimits(field: (typeof profileNumbers)[number]): StatedRule<'CREATE-4'>[] {
  const sentValues = unusualProfiles.flat().map((profile) => profile[field]);
  const [least, most] = [Math.min(...sentValues), Math.max(...sentValues)];
  return [
    statedRule([`field:profiles[].${field}:small`], 'CREATE-4', 'or-refuse', least),
    statedRule([`field:profiles[].${field}:large`], 'CREATE-4', 'or-refuse', most),
  ];
}

const statedRules = {
  createStream: [
    statedRule(['key:none', 'key:empty'], 'AUTH-1'),
    statedRule(['key:scheme', 'key:bare', 'key:wrong'], 'AUTH-4'),
    statedRule(['field:name:missing'], 'CREATE-14'),
    statedRule(
      [
        'field:name:null',
        'field:name:number',
        'field:name:boolean',
        'field:name:array',
        'field:name:object',
      ],
      'CREATE-17',
    ),
    statedRule(
      [
        'field:profiles:text',
        'field:profiles:number',
        'field:profiles:boolean',
        'field:profiles:object',
      ],
      'CREATE-18',
    ),
    statedRule(
      [
        'field:profiles[]:text',
        'field:profiles[]:number',
        'field:profiles[]:boolean',
        'field:profiles[]:array',
      ],
      'CREATE-18',
    ),
    statedRule(['field:record:given'], 'CREATE-27', 'or-refuse'),
    statedRule(['body:malformed', 'body:cut'], 'CREATE-22'),
    statedRule(
      ['body:none', 'body:blank', 'body:null', 'body:scalar', 'body:array'],
      'CREATE-25',
      'not-accepted',
    ),
    statedRule(['field:name:characters'], 'CREATE-3', 'or-refuse'),
    statedRule(['field:name:padded'], 'CREATE-3', 'or-refuse'),
    statedRule(['field:name:large'], 'CREATE-3', 'or-refuse', longestName),
    statedRule(['field:profiles[].name:unusual'], 'CREATE-4', 'or-refuse'),
    statedRule(['field:profiles:equal'], 'CREATE-4', 'or-refuse'),
    statedRule(['field:profiles[].name:large'], 'CREATE-4', 'or-refuse', longestProfileName),
    ...profileNumbers.flatMap(rulesOfLimits),
  ],
  setRecord: [
    statedRule(['key:none', 'key:empty'], 'AUTH-2'),
    statedRule(['key:scheme', 'key:bare', 'key:wrong'], 'AUTH-5'),
    // An almost right key is a wrong key, too.
    statedRule(['key:wrong', 'key:cut', 'key:extended'], 'AUTH-8'),
    statedRule(['field:record:missing'], 'RECORD-12'),
    statedRule(
      [
        'field:record:null',
        'field:record:text',
        'field:record:number',
        'field:record:array',
        'field:record:object',
      ],
      'RECORD-13',
    ),
    statedRule(['field:record:boolean-text', 'field:record:boolean-number'], 'RECORD-21'),
    statedRule(
      ['field:record:boolean-text', 'field:record:boolean-number'],
      'RECORD-22',
      'as-boolean',
    ),
    statedRule(['id:unknown', 'id:malformed'], 'RECORD-14'),
    // An id with more or fewer characters is no UUID.
    statedRule(['id:malformed'], 'RECORD-25'),
    statedRule(['id:session'], 'RECORD-10'),
    statedRule(['id:session'], 'RECORD-11', 'not-carried-out'),
  ],
  updateStream: [statedRule(['field:record:given'], 'RECORD-16', 'never')],
  listSessionsOfStream: [
    statedRule(['key:none', 'key:empty'], 'AUTH-3'),
    statedRule(['key:scheme', 'key:bare', 'key:wrong'], 'AUTH-6'),
    statedRule(['key:wrong', 'key:cut', 'key:extended'], 'AUTH-9'),
    statedRule(['query:record:given'], 'LIST-3', 'must'),
  ],
} satisfies Partial<Record<Endpoint, readonly StatedRule[]>>;

/** The requirements that a service breaks if it spells a key differently. */
export const requirementsOfKeys = {
  mp4URL: ['LIST-13', 'MEDIA-6'],
  recordingUrl: [
    'LIST-12',
    'LIST-15',
    'MEDIA-1',
    'MEDIA-2',
    'MEDIA-3',
    'MEDIA-4',
    'MEDIA-5',
    'MEDIA-8',
    'MEDIA-9',
    'MEDIA-11',
    'MEDIA-12',
  ],
  playbackId: ['CREATE-10', 'CREATE-12', 'CREATE-21'],
  streamKey: ['CREATE-9', 'CREATE-11', 'CREATE-21'],
  createdAt: ['CREATE-7', 'CREATE-8', 'CREATE-19', 'LIST-9', 'LIST-19'],
  parentId: ['LIST-2'],
} as const;

/** The requirements that a service breaks by a behaviour: its ladder if none is given, and pages without a next one. */
export const requirementsOfBehaviours = {
  'profiles.default': 'MEDIA-4',
  'list.next': 'LIST-17',
} as const;

type RuleTable = typeof statedRules;

/** The id of a requirement that a dialect can break. */
export type RequirementOfDialects =
  | RuleTable[keyof RuleTable][number]['requirement']
  | (typeof requirementsOfKeys)[keyof typeof requirementsOfKeys][number]
  | (typeof requirementsOfBehaviours)[keyof typeof requirementsOfBehaviours];

/** The requirements that a cell breaks: it accepts what the interface forbids, or refuses what it allows. */
export function requirementsBroken(endpoint: Endpoint, error: ErrorId, cell: Cell): string[] {
  const rules: Partial<Record<Endpoint, readonly StatedRule[]>> = statedRules;
  return (rules[endpoint] ?? [])
    .filter((rule) => rule.errors.includes(error) && isBroken(rule, error, cell))
    .map(({ requirement }) => requirement);
}

function isBroken({ keep, sends }: StatedRule, error: ErrorId, cell: Cell): boolean {
  if (sends !== undefined && !isBeyond(error, sends, cell)) return false;
  const isRefused = isRefusal(cell) && cell.status < 500;
  // The value has the right type, so a conversion does not change it.
  const isUnchanged = 'as' in cell && ['kept', 'text', 'number'].includes(cell.as);
  if (keep === 'never') return isUnchanged;
  if (keep === 'not-accepted') return 'as' in cell;
  if (keep === 'not-carried-out') return isCarriedOut(cell);
  if (keep === 'as-boolean') return 'as' in cell && !['kept', 'boolean'].includes(cell.as);
  return !((isRefused && keep !== 'must') || (isUnchanged && keep !== undefined));
}
