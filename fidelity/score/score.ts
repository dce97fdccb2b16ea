import { type RowId, rowIds } from '../../interface/silent.ts';
import type { Signature } from '../compare/model/signature.ts';
import type { Learned } from '../learn/learn.ts';
import { judgeComparing } from './comparing.ts';
import { everyValue, type Judged, learnMock } from './judged.ts';
import { judgeLearning } from './learning.ts';
import { everyMutant, judgeLearnedMutant, shownMutants, showsMutant } from './mutants.ts';
import { judgeRandomDialect } from './random-learning.ts';
import { type Sabotaged, saboteurs } from './saboteurs.ts';
import { judgeService, type ServiceName, serviceNames } from './services.ts';

/** One part of the score, which can be judged alone. */
export type Part =
  | { readonly row: RowId }
  | { readonly mutant: string }
  | { readonly randomDialect: string }
  | { readonly service: ServiceName };

/** What is counted of a part. */
export const columns = ['learned', 'found', 'named', 'clean', 'saboteurs'] as const;
type Column = (typeof columns)[number];

/** How many of how many came out right. */
interface Count {
  readonly right: number;
  readonly of: number;
}

/** How `learn` and `compare` did in one part. */
export interface Score {
  readonly family: string;
  readonly counts: Readonly<Partial<Record<Column, Count>>>;
  /** What is missing, each with the reason. That another row was named is only counted. */
  readonly gaps: readonly string[];
}

/** Every part, those that take longest first. */
export const everyPart: readonly Part[] = [
  ...serviceNames.map((service) => ({ service })),
  ...['30', '31', '32', '33', '34', '35'].map((randomDialect) => ({ randomDialect })),
  ...rowIds.map((row) => ({ row })),
  ...everyMutant.map((mutant) => ({ mutant })),
];

/** Judges one part. */
export async function scorePart(part: Part, usual: Learned): Promise<Score> {
  if ('row' in part) return scoreRow(part.row, usual);
  if ('mutant' in part) return scoreMutant(part.mutant, usual);
  if ('randomDialect' in part) return scoreRandomDialect(part.randomDialect);
  const { deviations, differences } = await judgeService(part.service, 10_000);
  return {
    family: 'services',
    counts: { ...(deviations && { learned: count([deviations]) }), clean: count([differences]) },
    gaps: [...(deviations ?? []), ...differences].map((gap) => `${part.service}: ${gap}`),
  };
}

/** Operations in which a mock with a random dialect must be as what was learned of it. */
const randomFor = 2_000;

async function scoreRandomDialect(seed: string): Promise<Score> {
  const gaps = await judgeRandomDialect(seed, randomFor);
  return { family: 'random', counts: { clean: count([gaps]) }, gaps };
}

async function scoreRow(row: RowId, usual: Learned): Promise<Score> {
  const scores: Score[] = [];
  for (const judged of everyValue.filter((value) => value.row === row)) {
    const { score, found } = await scoreValue(judged, usual);
    // One value of each row is sabotaged.
    if (scores.length === 0 && found) scores.push(await scoreSaboteurs({ judged, usual, found }));
    scores.push(score);
  }
  return mergeScores(scores);
}

async function scoreValue(
  judged: Judged,
  usual: Learned,
): Promise<{ score: Score; found: Signature | undefined }> {
  const wrong = await judgeLearning(judged, usual);
  const { found, named, unexpected } = await judgeComparing(judged);
  const missed = found === undefined ? ['compare did not find it'] : [];
  const name = `${judged.row} ${JSON.stringify(judged.value)}`;
  const score = {
    family: familyOf(judged.row),
    counts: {
      learned: count([wrong]),
      found: count([missed]),
      named: { right: named ? 1 : 0, of: 1 },
      clean: count([unexpected]),
    },
    gaps: [...wrong.map((one) => `learned ${one}`), ...missed, ...unexpected].map(
      (gap) => `${name}: ${gap}`,
    ),
  };
  return { score, found };
}

async function scoreSaboteurs(sabotaged: Sabotaged): Promise<Score> {
  const { row } = sabotaged.judged;
  const found: string[][] = [];
  for (const [name, lowers] of Object.entries(saboteurs)) {
    const isLower = await lowers(sabotaged);
    if (isLower === undefined) continue;
    found.push(isLower ? [] : [`${row}: the score is as high with the saboteur "${name}"`]);
  }
  return { family: familyOf(row), counts: { saboteurs: count(found) }, gaps: found.flat() };
}

async function scoreMutant(name: string, usual: Learned): Promise<Score> {
  const wrong = await judgeLearnedMutant(name, usual);
  const isCompared = shownMutants.includes(name);
  const missed = isCompared && !(await showsMutant(name)) ? ['compare did not show it'] : [];
  return {
    family: 'mutants',
    counts: { learned: count([wrong]), ...(isCompared && { found: count([missed]) }) },
    gaps: [...wrong.map((one) => `learned ${one}`), ...missed].map((gap) => `${name}: ${gap}`),
  };
}

function familyOf(row: RowId): string {
  return row.slice(0, row.indexOf('.'));
}

function count(gaps: readonly (readonly string[])[]): Count {
  return { right: gaps.filter((one) => one.length === 0).length, of: gaps.length };
}

/** The scores of several parts of one family as one. */
export function mergeScores(scores: readonly Score[]): Score {
  const counts = columns.flatMap((column) => {
    const counted = scores.flatMap((score) => score.counts[column] ?? []);
    if (counted.length === 0) return [];
    const right = counted.reduce((sum, one) => sum + one.right, 0);
    const of = counted.reduce((sum, one) => sum + one.of, 0);
    return [[column, { right, of }] as const];
  });
  return {
    family: scores[0]?.family ?? '',
    counts: Object.fromEntries(counts),
    gaps: scores.flatMap(({ gaps }) => gaps),
  };
}

/** What every part is compared with: what is learned of the usual mock. */
export function learnUsual(): Promise<Learned> {
  return learnMock();
}
