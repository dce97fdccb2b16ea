import { findGaps, judged, type Score, scoreSuite } from './score.ts';

/** One line for every requirement, the sums, and what is missing. */
function formatScore(score: Score): string {
  const rows = judged.map(({ id, level }) => {
    const own = score.mutants.filter(({ requirement }) => requirement === id);
    const killed = `${own.filter((one) => one.killed).length}/${own.length}`;
    return `${id.padEnd(12)} ${level.padEnd(8)} ${killed.padStart(7)}`;
  });
  const killed = score.mutants.filter((one) => one.killed).length;
  const passed = score.variants.filter((one) => one.passed).length;
  return [
    'requirement  level    mutants',
    ...rows,
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
