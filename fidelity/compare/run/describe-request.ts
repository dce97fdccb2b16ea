import { ladders, profileFields } from '../../../interface/limit-ladders.ts';
import type { Json } from '../../../interface/silent-row.ts';
import { isObject } from '../../json.ts';
import { kindOf } from '../equal/finding.ts';
import {
  type Credential,
  isRequest,
  type Move,
  type OperationName,
  type RequestMove,
} from '../moves/move.ts';
import { describePlace, type MadeRecords } from './made-records.ts';
import { bodyText } from './to-call.ts';

/** What a request is about: its operation, and everything in it that is not usual. */
export interface DescribedRequest {
  readonly operation: OperationName;
  readonly request: RequestMove;
  /** Words such as `id: deleted stream` and `profiles[].width: 0`, sorted. */
  readonly about: readonly string[];
}

/** Describes the request of a move; `undefined` for one that sends no request to the interface. */
export function describeRequest(move: Move, made: MadeRecords): DescribedRequest | undefined {
  const request = requestOf(move, made);
  if (request === undefined) return undefined;
  const about = [
    ...aboutPlaces(request, made),
    ...aboutHttp(request),
    ...aboutBody(request),
  ].toSorted();
  return { operation: request.operation, request, about: [...new Set(about)] };
}

function requestOf(move: Move, made: MadeRecords): RequestMove | undefined {
  if (isRequest(move)) return move;
  if (!('follow' in move) || made.next === undefined) return undefined;
  return { ...made.next.move, follow: true };
}

function aboutPlaces({ operation, id, query = {} }: RequestMove, made: MadeRecords): string[] {
  const usual = operation === 'retrieveSession' ? 'session' : 'stream';
  const place = id && describePlace(made, id);
  const parameters = Object.entries(query).map(([name, value]) => {
    const text =
      typeof value === 'string' ? describeParameter(name, value) : describePlace(made, value);
    return `query ${name}: ${text}`;
  });
  return [...(place === undefined || place === usual ? [] : [`id: ${place}`]), ...parameters];
}

function describeParameter(name: string, value: string): string {
  if (name !== 'limit') return name === 'record' ? value || 'empty' : 'text';
  const limit = Number(value);
  if (!/^\d+$/.test(value) || limit === 0) return 'impossible';
  return limit > ladders.limit[0] ? 'large' : 'small';
}

const credentials: Readonly<Record<Credential, string>> = {
  none: 'none',
  wrong: 'wrong',
  'lower-case': 'scheme in lower case',
  'other-scheme': 'other scheme',
  bare: 'other scheme, none',
  empty: 'empty',
  short: 'without its end',
  long: 'with more at its end',
  similar: 'in another letter case',
};

const phrases = {
  credential: (value: Credential) => `key: ${credentials[value]}`,
  method: (value: string) => `method: ${value}`,
  path: (value: string) => `path: ${value}`,
  origin: () => 'origin',
  preflight: () => 'preflight',
  cached: () => 'if-none-match',
  follow: () => 'next page',
  untilReady: () => 'once ready',
  type: (value: string | null) => `content type: ${value ?? 'none'}`,
  size: (value: number) => `body: ${value > 100_000 ? 'over' : 'up to'} 100 kB`,
} as const;

function aboutHttp(request: RequestMove): string[] {
  return Object.entries(phrases).flatMap(([key, say]) => {
    const value = request[key as keyof typeof phrases];
    return value === undefined ? [] : [(say as (value: unknown) => string)(value)];
  });
}

function aboutBody(request: RequestMove): string[] {
  if (request.text !== undefined) return [`body: ${describeText(bodyText(request) ?? '')}`];
  if (!isObject(request.body)) return [];
  return Object.entries(request.body)
    .flatMap(([key, value]) => aboutField(key, value as Json))
    .concat(missing(request));
}

function describeText(text: string): string {
  if (text === '') return 'none';
  try {
    return isObject(JSON.parse(text)) ? 'object' : 'not an object';
  } catch {
    return 'not JSON';
  }
}

/** The field without which an operation is refused. */
const required: Readonly<Partial<Record<OperationName, string>>> = {
  createStream: 'name',
  setRecord: 'record',
};

function missing({ operation, body }: RequestMove): string[] {
  const field = required[operation];
  if (field === undefined || (isObject(body) && field in body)) return [];
  return [`${field}: absent`];
}

function aboutField(key: string, value: Json): string[] {
  if (key === 'name') return aboutName('name', value);
  if (key === 'record')
    return typeof value === 'boolean' ? ['record'] : [`record: ${kindOf(value)}`];
  if (key === 'profiles') return aboutProfiles(value);
  return [`${key}: ${kindOf(value)}`];
}

function aboutName(where: string, value: Json): string[] {
  if (typeof value !== 'string') return [`${where}: ${kindOf(value)}`];
  if (value === '') return [`${where}: empty`];
  if ([...value].length > ladders.name[0]) return [`${where}: long`];
  return /^[ -~]*$/.test(value) ? [] : [`${where}: beyond ASCII`];
}

function aboutProfiles(value: Json): string[] {
  if (!Array.isArray(value)) return [`profiles: ${kindOf(value)}`];
  if (value.length === 0) return ['profiles: empty'];
  const names = value.map((profile) => (isObject(profile) ? profile['name'] : undefined));
  const equal = new Set(names).size < names.length ? ['profiles: equal names'] : [];
  return ['profiles', ...equal, ...value.flatMap((profile) => aboutProfile(profile))];
}

function aboutProfile(profile: Json): string[] {
  if (!isObject(profile)) return [`profiles[]: ${kindOf(profile)}`];
  const { name } = profile;
  const named = aboutProfileName(name);
  const others = Object.entries(profile).filter(
    ([key]) => key !== 'name' && !profileFields.includes(key as 'fps'),
  );
  return [
    ...(named === undefined ? [] : [`profiles[].name: ${named}`]),
    ...profileFields.flatMap((field) => {
      const kind = describeNumber(field, profile[field]);
      return kind === undefined ? [] : [`profiles[].${field}: ${kind}`];
    }),
    ...others.map(([key, value]) => `profiles[].${key}: ${kindOf(value)}`),
  ];
}

/** The kind of the name of a profile; `undefined` for one that is usual. */
function aboutProfileName(name: unknown): string | undefined {
  if (typeof name !== 'string') return kindOf(name);
  if (name === '') return 'empty';
  if (name === 'source') return name;
  return /^\d+p$/.test(name) ? undefined : 'other';
}

/** The kind of a number of a profile; `undefined` for one that is usual. */
function describeNumber(field: (typeof profileFields)[number], value: unknown): string | undefined {
  if (typeof value !== 'number') return kindOf(value);
  if (value === 0) return '0';
  if (value < 0) return 'negative';
  if (!Number.isInteger(value)) return 'fraction';
  const { smallest, largest } = ladders[field];
  if (value < smallest[4]) return 'small';
  return value > largest[0] ? 'large' : undefined;
}
