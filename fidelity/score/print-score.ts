import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import {
  columns,
  everyPart,
  learnUsual,
  mergeScores,
  type Part,
  type Score,
  scorePart,
} from './score.ts';

/** Scores the parts that come, one at a time, in a process of their own. */
async function serveParts(): Promise<void> {
  const usual = await learnUsual();
  process.on('message', async (part: Part) => process.send?.(await scorePart(part, usual)));
  process.send?.('ready');
}

/** Scores parts in as many processes as the machine has cores. */
async function scoreParts(parts: readonly Part[]): Promise<Score[]> {
  const queue = [...parts];
  const scores: Score[] = [];
  const work = (child: ChildProcess): Promise<void> =>
    new Promise((resolve, reject) => {
      let next: Part | undefined;
      child.on('exit', (code, signal) => {
        const where = next === undefined ? 'before its first part' : `at ${JSON.stringify(next)}`;
        if (code === 0) resolve();
        else
          reject(new Error(`a process ended ${where} with ${code ?? signal}; its error is above`));
      });
      child.on('message', (message: Score | 'ready') => {
        if (message !== 'ready') {
          scores.push(message);
          process.stderr.write(describeProgress(message, scores.length, parts.length));
        }
        next = queue.shift();
        if (next === undefined) child.disconnect();
        else child.send(next);
      });
    });
  // Each core has a process of its own: threads that collect garbage would take time from the others. New
  // objects with more room are collected less often; 24 MB was as fast as more.
  const execArgv = [...process.execArgv, '--single-threaded-gc', '--max-semi-space-size=24'];
  const children = Array.from({ length: Math.min(availableParallelism(), parts.length) }, () =>
    fork(fileURLToPath(import.meta.url), { execArgv }),
  );
  await Promise.all(children.map(work));
  return scores;
}

/** How many parts were scored, and what is missing in the last one. */
function describeProgress({ gaps }: Score, done: number, of: number): string {
  return `${gaps.map((gap) => `\rGAP: ${gap}\n`).join('')}\r${done} of ${of}`;
}

function formatRow({ family, counts }: Score): string {
  const cells = columns.map((column) => {
    const counted = counts[column];
    return (counted === undefined ? '' : `${counted.right}/${counted.of}`).padStart(10);
  });
  return family.padEnd(12) + cells.join('');
}

function formatScore(scores: readonly Score[], seconds: number): string {
  const families = new Set(scores.map(({ family }) => family));
  const merged = [...families].map((name) =>
    mergeScores(scores.filter(({ family }) => family === name)),
  );
  const all = { ...mergeScores(merged), family: 'all' };
  return [
    `\n${''.padEnd(12)}${columns.map((column) => column.padStart(10)).join('')}`,
    ...[...merged, all].map(formatRow),
    `${seconds} s`,
    ...all.gaps.map((gap) => `GAP: ${gap}`),
    '',
  ].join('\n');
}

if (process.send !== undefined) {
  await serveParts();
} else {
  const begun = performance.now();
  const wanted = new RegExp(process.argv[2] ?? '');
  const parts = everyPart.filter((part) => wanted.test(Object.values(part).join('')));
  if (parts.length === 0)
    throw new Error(
      `expected a pattern such as ^list.limit$, got ${wanted}, which fits no row, mutant, seed of a random dialect or service`,
    );
  const scores = await scoreParts(parts);
  process.stdout.write(formatScore(scores, Math.round((performance.now() - begun) / 1000)));
  process.exitCode = scores.some(({ gaps }) => gaps.length > 0) ? 1 : 0;
}
