import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Group, groupTrials } from './grouping.ts';
import { findingsOf, type TrialFinding } from './outcomes.ts';
import { type EndedRun, nextRun, type PlannedRun } from './plan.ts';
import { trialOf } from './trials.test-support.ts';
import type { Trial } from './trials.ts';

/** An app under test: whether its tests pass with some trials. */
type App = (names: readonly string[], runsBefore: number) => boolean;

const oldestFirst = trialOf('oldest-first', 'order');
const shuffled = trialOf('shuffled', 'order');
const pagesOfTwo = trialOf('pages-of-two', 'paging');
const trials = [oldestFirst, shuffled, pagesOfTwo];

/** Runs everything that the plan asks for. Each run takes a second and meets all of its trials, unless told otherwise. */
function carryOut(
  app: App,
  {
    tried = trials,
    budget,
    met = () => 1,
    lasts = () => 1_000,
  }: {
    tried?: readonly Trial[];
    budget?: number;
    met?: (name: string) => number;
    lasts?: (names: readonly string[]) => number;
  } = {},
): { runs: EndedRun[]; groups: Group[]; outcomes: Record<string, TrialFinding['outcome']> } {
  const groups = groupTrials(tried, () => false);
  const runs: EndedRun[] = [];
  let next: PlannedRun | undefined = nextRun(groups, runs, budget);
  while (next !== undefined) {
    const names = next.trials.map(({ name }) => name);
    const changed = Object.fromEntries(names.map((name) => [name, met(name)]));
    const failed = !app(names, runs.length) && { failure: 'failed with status 1' };
    const ended = { ...next, ...failed, changed, answered: changed, output: '' };
    runs.push({ ...ended, exchanges: [], duration: lasts(names) });
    next = nextRun(groups, runs, budget);
  }
  const outcomes = findingsOf(groups, runs).map(({ trials: found, outcome }) => [
    found.map(({ name }) => name).join('+'),
    outcome,
  ]);
  return { runs, groups, outcomes: Object.fromEntries(outcomes) };
}

/** Why each trial is unsteady, by its name. */
function whyUnsteadyOf({ groups, runs }: ReturnType<typeof carryOut>): Record<string, unknown> {
  const found = findingsOf(groups, runs).flatMap(({ trials: [{ name }], whyUnsteady }) =>
    whyUnsteady === undefined ? [] : [[name, whyUnsteady]],
  );
  return Object.fromEntries(found);
}

/** What was run, as `purpose: names`. */
function linesOf(runs: readonly PlannedRun[]): string[] {
  return runs.map(({ purpose, trials: tried }) =>
    [purpose, ...tried.map(({ name }) => name)].join(' '),
  );
}

test('an app that survives everything needs two plain runs and one for each group', () => {
  const { runs, outcomes } = carryOut(() => true);
  expect(linesOf(runs)).toEqual([
    'plain',
    'plain',
    'try oldest-first pages-of-two',
    'try shuffled',
  ]);
  expect(outcomes).toEqual({
    'oldest-first': 'survived',
    'pages-of-two': 'survived',
    shuffled: 'survived',
  });
});

test.each([
  ['do not pass', () => false, ['plain']],
  ['do not pass twice', (_: unknown, runsBefore: number) => runsBefore !== 1, ['plain', 'plain']],
])('nothing is tried if the tests %s with the plain mock', (_, app, lines) => {
  const { runs, outcomes } = carryOut(app);
  expect(linesOf(runs)).toEqual(lines);
  expect(new Set(Object.values(outcomes))).toEqual(new Set(['not-tried']));
});

test('a group that fails is run trial by trial, and what fails alone fails again after a plain run', () => {
  const { runs, outcomes } = carryOut((names) => !names.includes('pages-of-two'));
  expect(linesOf(runs)).toEqual([
    'plain',
    'plain',
    'try oldest-first pages-of-two',
    'try oldest-first',
    'try pages-of-two',
    'try shuffled',
    'control',
    'confirm pages-of-two',
  ]);
  expect(outcomes).toEqual({
    'oldest-first': 'survived',
    'pages-of-two': 'broken',
    shuffled: 'survived',
  });
});

test('a trial that fails alone, and then passes, has not broken the app: its tests are unsteady', () => {
  const failsOnce: App = (names, runsBefore) => runsBefore > 4 || !names.includes('shuffled');
  const done = carryOut(failsOnce);
  expect(done.outcomes).toMatchObject({ shuffled: 'unsteady' });
  expect(whyUnsteadyOf(done)).toEqual({ shuffled: 'passed-again' });
});

test('tests that fail with the plain mock after a failure are unsteady', () => {
  const done = carryOut((names, before) => before < 2 || names[0] === 'shuffled');
  expect(linesOf(done.runs).at(-1)).toBe('control');
  expect(done.outcomes).toEqual({
    'oldest-first': 'unsteady',
    'pages-of-two': 'unsteady',
    shuffled: 'survived',
  });
  expect(whyUnsteadyOf(done)).toEqual({
    'oldest-first': 'control-failed',
    'pages-of-two': 'control-failed',
  });
});

test('trials that fail only together are named together', () => {
  const { outcomes } = carryOut((names) => names.length < 2);
  expect(outcomes).toMatchObject({
    'oldest-first': 'survived',
    'pages-of-two': 'survived',
    'oldest-first+pages-of-two': 'broken',
  });
});

test.each([[['b', 'g']], [['a', 'b']], [['a', 'd', 'h']]])(
  'of a group that fails only together, %j are found to be what does',
  (culprits) => {
    const tried = [...'abcdefgh'].map((name) => trialOf(name));
    const app: App = (names) => !culprits.every((name) => names.includes(name));
    const { outcomes, runs, groups } = carryOut(app, { tried });
    const broken = Object.keys(outcomes).filter((name) => outcomes[name] === 'broken');
    expect(broken).toEqual([culprits.join('+')]);
    expect(findingsOf(groups, runs).at(-1)).toMatchObject({ isSmallest: true });
    expect(linesOf(runs).slice(-2)).toEqual(['control', `confirm ${culprits.join(' ')}`]);
    expect(runs.length).toBeLessThanOrEqual(2 + 1 + 8 + 12 + 2);
  },
);

test('a combination is narrowed only as far as there is time, after every group was tried', () => {
  const tried = [...[...'abcdefgh'].map((name) => trialOf(name)), trialOf('other', 'a')];
  const app: App = (names) => !(names.includes('b') && names.includes('f'));
  const { outcomes, runs, groups } = carryOut(app, { tried, budget: 13_500 });
  expect(outcomes).toMatchObject({ other: 'survived', 'a+b+d+f+h': 'broken' });
  expect(linesOf(runs).slice(8)).toEqual([
    'try c e g other',
    'try f h',
    'try a b d',
    'control',
    'confirm a b d f h',
  ]);
  expect(findingsOf(groups, runs).at(-1)).not.toHaveProperty('isSmallest');
});

test('whatever breaks an app only together is found as small as it is', () => {
  const size = fc.integer({ min: 2, max: 12 });
  fc.assert(
    fc.property(size, fc.func(fc.boolean()), (count, isCulprit) => {
      const tried = Array.from({ length: count }, (_, index) => trialOf(`trial-${index}`));
      const culprits = tried.map(({ name }) => name).filter((name) => isCulprit(name));
      fc.pre(culprits.length > 1);
      const app: App = (names) => !culprits.every((name) => names.includes(name));
      expect(carryOut(app, { tried }).outcomes).toMatchObject({ [culprits.join('+')]: 'broken' });
    }),
  );
});

test('a trial that changed no response is not met, and has not survived', () => {
  const met = (name: string) => (name === 'shuffled' ? 0 : 3);
  expect(carryOut(() => true, { met }).outcomes).toMatchObject({ shuffled: 'not-met' });
});

test('a budget leaves out the last groups', () => {
  const { runs, outcomes } = carryOut(() => true, { budget: 3_500 });
  expect(runs).toHaveLength(3);
  expect(outcomes).toMatchObject({ 'oldest-first': 'survived', shuffled: 'not-tried' });
});

test('a budget that the first run has used up leaves no time for another', () => {
  const { runs, outcomes } = carryOut(() => true, { budget: 1_500 });
  expect(linesOf(runs)).toEqual(['plain']);
  expect(new Set(Object.values(outcomes))).toEqual(new Set(['not-tried']));
});

test('a budget leaves time to confirm what has failed', () => {
  const { runs, outcomes } = carryOut((names) => names.length === 0, { budget: 5_000 });
  expect(linesOf(runs).slice(2)).toEqual([
    'try oldest-first pages-of-two',
    'control',
    'confirm oldest-first pages-of-two',
  ]);
  expect(outcomes).toMatchObject({
    'oldest-first': 'not-tried',
    'oldest-first+pages-of-two': 'broken',
  });
});

test('a group that fails slowly does not use up the time for its trials alone', () => {
  const { runs } = carryOut((names) => !names.includes('pages-of-two'), {
    budget: 90_000,
    lasts: ({ length }) => (length > 1 ? 40_000 : 1_000),
  });
  expect(linesOf(runs)).toEqual([
    'plain',
    'plain',
    'try oldest-first pages-of-two',
    'try oldest-first',
    'try pages-of-two',
    'try shuffled',
    'control',
    'confirm pages-of-two',
  ]);
});

test('whatever breaks an app alone is found, and nothing else', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 12 });
  fc.assert(
    fc.property(
      names,
      fc.func(fc.constantFrom('a', 'b', 'c')),
      fc.func(fc.boolean()),
      (...given) => {
        const [all, familyOf, breaks] = given;
        const tried = all.map((name) => trialOf(name, familyOf(name)));
        const { outcomes, runs, groups } = carryOut((run) => !run.some((name) => breaks(name)), {
          tried,
        });
        expect(outcomes).toEqual(
          Object.fromEntries(all.map((name) => [name, breaks(name) ? 'broken' : 'survived'])),
        );
        const broken = all.filter((name) => breaks(name)).length;
        expect(runs.length).toBeLessThanOrEqual(2 + groups.length + all.length + 1 + broken);
      },
    ),
  );
});

test('unsteady tests come to an end, and only what failed twice is called broken', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.boolean()), (results) => {
      const failures: string[] = [];
      const { outcomes, runs } = carryOut((names) => {
        const passed = results.next().value ?? true;
        if (!passed) failures.push(names.join('+'));
        return passed;
      });
      expect(runs.length).toBeLessThanOrEqual(12);
      for (const [name, outcome] of Object.entries(outcomes)) {
        const times = failures.filter((failed) => failed === name).length;
        if (outcome === 'broken') expect(times).toBe(2);
      }
    }),
  );
});
