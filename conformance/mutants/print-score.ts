import { findGaps, judged, type Score, scoreSuite } from './score.ts';

/** Variants that a requirement passed. */
function countPassed({ variants }: Score, id: string): string {
  const passed = variants.filter(({ against }) => !against.some((one) => one.requirement === id));
  return `${passed.length}/${variants.length}`;
}

/** One line for every requirement. */
function formatRows(score: Score): string[] {
  return judged.map(({ id, level }) => {
    const own = score.mutants.filter(({ requirement }) => requirement === id);
    const killed = `${own.filter((one) => one.killed).length}/${own.length}`;
    return [
      id.padEnd(12),
      level.padEnd(8),
      killed.padStart(7),
      countPassed(score, id).padStart(9),
    ].join(' ');
  });
}

/** The whole table as text. */
function formatScore(score: Score): string {
  const killed = score.mutants.filter((one) => one.killed).length;
  const passed = score.variants.filter((one) => one.passed).length;
  return [
    'requirement  level    mutants  variants',
    ...formatRows(score),
    '',
    `mutants killed: ${killed} of ${score.mutants.length}`,
    `legal variants passed: ${passed} of ${score.variants.length}`,
    ...findGaps(score).map((gap) => `GAP: ${gap}`),
    '',
  ].join('\n');
}

const score: Score = await scoreSuite();
process.stdout.write(formatScore(score));
process.exitCode = findGaps(score).length > 0 ? 1 : 0;
