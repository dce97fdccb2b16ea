import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { ladders, profileFields } from '../../../interface/limit-ladders.ts';
import { type Behaviours, type RowId, rowIds, rowOf } from '../../../interface/silent.ts';
import { documentedKeys } from '../../../interface/silent-creation.ts';
import { isObject } from '../../json.ts';
import { namesIn } from '../../names-in-header.ts';
import { samplesOf } from '../../sample.ts';
import { readJson } from '../equal/read-json.ts';
import { type RefusalTexts, steadyForm } from '../equal/refusal-forms.ts';
import type { Line } from '../model/comparison.ts';
import type { Signature } from '../model/signature.ts';

/** Lines that are equally likely to explain a difference. */
export interface CandidateLines {
  /** How much their rows have in common with the difference. */
  readonly inCommon: number;
  readonly lines: readonly Line[];
}

/** Lines that may explain a difference, the likeliest first. */
export function candidateLines(
  found: Signature,
  response: TargetResponse,
  refusals: RefusalTexts,
): CandidateLines[] {
  const pool = poolOf(response, refusals);
  return rankRows(found).map(({ inCommon, rows }) => ({
    inCommon,
    lines: rows.flatMap((row) => {
      const { values, samples, default: usual } = rowOf(row);
      const derived = [...pool, ...limitsOf(row, response)].filter(
        (value) => values.safeParse(value).success,
      );
      const texts = new Map(
        [...derived, ...samples, usual].map((value) => [JSON.stringify(value), value]),
      );
      return [...texts.values()].map((value) => ({ row, value }));
    }),
  }));
}

/** Rows that may have to do with a difference, grouped: those with most words in common with it first. */
function rankRows(found: Signature): { inCommon: number; rows: RowId[] }[] {
  const groups = new Map<number, RowId[]>();
  const concerned = rowIds.filter((row) => mayConcern(row, found));
  for (const row of concerned) {
    const score = scoreOf(row, found);
    groups.set(score, [...(groups.get(score) ?? []), row]);
  }
  const ranked = [...groups].toSorted(([one], [other]) => other - one);
  // Rows without a word in common are many, and not alike.
  return ranked.flatMap(([inCommon, rows]) =>
    inCommon === 0 ? rows.map((row) => ({ inCommon, rows: [row] })) : [{ inCommon, rows }],
  );
}

function scoreOf(row: RowId, { operation, about, where }: Signature): number {
  const words = wordsOf(row);
  const inCommon = (text: string): string[] => {
    const given = new Set(wordsOf(text));
    return words.filter((word) => given.has(word));
  };
  // The status of a response is not that of a recording, of which some rows are.
  const place = where === 'status' ? '' : where;
  const telling = inCommon([...about, place].join(' ')).map((word) => (isGeneral(word) ? 1 : 3));
  // A request that needs two errors to show a difference is about their order.
  const errors = about.length + (operation === 'unknownRoute' ? 1 : 0);
  const isOrder = row.startsWith('order.') && errors > 1;
  const isForm = row === 'refusal.body' && /^(refusal|header content-type)$/.test(where);
  return sum(telling) + inCommon(operation).length + (isOrder || isForm ? 99 : 0);
}

/** Whether a word is in so many rows and requests that it tells little. */
function isGeneral(word: string): boolean {
  return ['stream', 'session', 'id', 'query'].includes(word);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function wordsOf(text: string): string[] {
  return text
    .replace(/[a-z](?=[A-Z])/g, '$& ')
    .toLowerCase()
    .replace(/\b0\b/g, 'zero')
    .split(/[^a-z]+/)
    .map((word) => word.replace(/s$/, ''))
    .filter((word) => word !== '');
}

/** Rows that name an operation concern it alone, and some families only some operations. */
function mayConcern(row: RowId, { operation, about }: Signature): boolean {
  // Another method or path says nothing of whether an operation is offered.
  if (row.startsWith('operation.') && about.some((words) => /^(method|path):/.test(words))) {
    return false;
  }
  const named = /\.(\w+Streams?|setRecord|\w+Sessions?(OfStream)?|\w+Playback)$/.exec(row)?.[1];
  if (named !== undefined && /[A-Z]/.test(named))
    return row.startsWith('operation.') || named === operation;
  const family = /^[a-z]+/.exec(row)?.[0] ?? '';
  const only = families[family as keyof typeof families];
  return only === undefined || only.test(operation);
}

const families = {
  create: /create|Stream/,
  profile: /create|update/,
  update: /Stream/,
  list: /^list/,
  retrieve: /retrieve/,
  playback: /Playback/,
} as const;

/** Values that a response suggests. */
function poolOf(response: TargetResponse, refusals: RefusalTexts): unknown[] {
  const { status, headers } = response;
  const form = steadyForm(response, refusals);
  const record = readJson(response);
  const shown = Array.isArray(record) ? record.find(isObject) : record;
  return [
    { status },
    { status, body: form },
    form,
    ...['retry-after', 'access-control-max-age'].map((name) =>
      Number(headers.get(name) ?? Number.NaN),
    ),
    headers.get('content-type')?.toLowerCase(),
    ...headerLists.map((name) => namesIn(headers.get(name))),
    ...(Array.isArray(record) ? [record.length] : []),
    ...(isObject(shown) ? [samplesOf(shown, documented), shown['recordingStatus'] ?? null] : []),
  ];
}

const headerLists = [
  'access-control-expose-headers',
  'access-control-allow-headers',
  'access-control-allow-methods',
] as const;

const documented = new Set([...documentedKeys.stream, ...documentedKeys.session]);

/** The limits that a row can have: a step of its ladder, with the refusal that came. */
function limitsOf(row: RowId, { status }: TargetResponse): unknown[] {
  const refusal = status >= 400 ? { status } : undefined;
  const steps = ladderOf(row);
  const isLowest = row.startsWith('profile.smallest');
  return steps.flatMap((step, index): unknown[] => {
    const next = steps[index + 1];
    if (next === undefined) return [isLowest ? { atMost: steps[0] } : { atLeast: step }];
    return isLowest
      ? [{ atMost: next, above: step, ...(refusal && { refusal }) }]
      : [{ atLeast: step, below: next, ...(refusal && { refusal }) }];
  });
}

function ladderOf(row: RowId): readonly number[] {
  const named = {
    'create.name-length': 'name',
    'http.body-size': 'body',
    'list.largest-limit': 'limit',
  } as const;
  const simple = named[row as keyof typeof named];
  if (simple !== undefined) return ladders[simple];
  const [, kind, name] = /^profile\.(smallest|largest)\.(\w+)$/.exec(row) ?? [];
  const field = profileFields.find((one) => one === name);
  return field === undefined ? [] : ladders[field][kind as 'smallest' | 'largest'];
}

/** The rows of a dialect with one more line. */
export function withLine(rows: Partial<Behaviours>, { row, value }: Line): Partial<Behaviours> {
  return { ...rows, [row]: value };
}
