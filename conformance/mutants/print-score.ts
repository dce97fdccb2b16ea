import { judged, scoreSuite } from './score.ts';

const scores = await scoreSuite();
const killed = scores.filter(({ requirement }) => requirement !== undefined);
const passed = scores.filter(({ requirement }) => requirement === undefined);

function count(among: typeof scores): string {
  return `${among.filter(({ gaps }) => gaps.length === 0).length} of ${among.length}`;
}

const gaps = scores.flatMap((score) => score.gaps);
const lines = [
  'requirement  level    mutants',
  ...judged.map(({ id, level }) => {
    const own = killed.filter(({ requirement }) => requirement === id);
    return `${id.padEnd(12)} ${level.padEnd(8)} ${count(own)}`;
  }),
  '',
  `mutants killed: ${count(killed)}`,
  `legal variants passed: ${count(passed)}`,
  ...gaps.map((gap) => `GAP: ${gap}`),
];
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = gaps.length > 0 ? 1 : 0;
