import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { seal } from './change-lines.ts';
import { changedWorlds, during, readWorlds } from './file.test-support.ts';
import { replaceBy, stream, update } from './sample-changes.ts';

/** A file of six changes in 24 lines, the states between them, and its sizes when each was acknowledged. */
async function writeSample() {
  const path = temporaryFile('state.json');
  const { states, change } = changedWorlds();
  const sizes: number[] = [];
  await during(path, async (store) => {
    for (const one of [
      ['test-a', replaceBy(3)],
      ['test-b', replaceBy(2)],
      ['test-a', update({ streams: [stream(301, 'J\u0000b\n')] })],
      ['test-b', replaceBy(3)],
      ['test-a', update({ deleted: [stream(1).id] })],
      ['test-b', update({ now: 3_000 })],
    ] as const) {
      await change(store, one);
      sizes.push((await stat(path)).size);
    }
  });
  return { path, states, sizes, lines: (await readFile(path, 'latin1')).split(/(?<=\n)/) };
}

/** What a kill or a power cut can leave of the last change; how many changes are complete before it. */
const tornTails: readonly (readonly [string, (lines: string[]) => string[], number])[] = [
  ['half a line', (lines) => [...lines.slice(0, -1), lines.at(-1)?.slice(0, 20) ?? ''], 5],
  ['zeros', (lines) => [...lines.slice(0, -1), '\0'.repeat(4_096)], 5],
  [
    'a change with half its last line',
    (lines) => [...lines.slice(0, 21), lines[21]?.slice(0, 99) ?? ''],
    3,
  ],
];

test.each(tornTails)(
  'a torn tail is cut off and told, and the file goes on: %s',
  async (_, tear, kept) => {
    const { path, states, lines } = await writeSample();
    const torn = tear(lines);
    await writeFile(path, torn.join(''), 'latin1');
    const { size } = await stat(path);
    const { change } = changedWorlds();
    await during(path, async (store) => {
      const cut = size - (await stat(path)).size;
      expect(store.notice).toBe(
        `data: ${path} ended in a change that was not written to its end; its ${cut} bytes were removed`,
      );
      await change(store, ['test-c', replaceBy(0)]);
    });
    expect(await readWorlds(path)).toEqual({ ...states[kept], 'test-c': expect.any(String) });
  },
);

test('wherever a file is cut after its first change, all that was acknowledged by then is there', async () => {
  const { path, states, sizes } = await writeSample();
  const bytes = await readFile(path);
  for (let size = sizes[0] ?? 0; size <= bytes.length; size += byNight(1, 7)) {
    await writeFile(path, bytes.subarray(0, size));
    // A change that lacks only its last line break is whole.
    const count = sizes.filter((acknowledged) => acknowledged <= size + 1).length;
    expect([size, await readWorlds(path)]).toEqual([size, states[count]]);
  }
});

test('a file that lacks only its last line break loses nothing, and goes on', async () => {
  const { path, states, lines } = await writeSample();
  await writeFile(path, lines.join('').trimEnd(), 'latin1');
  const { change } = changedWorlds();
  await during(path, async (store) => {
    expect(store.notice).toBe(undefined);
    await change(store, ['test-c', replaceBy(0)]);
  });
  expect(await readWorlds(path)).toEqual({ ...states.at(-1), 'test-c': expect.any(String) });
});

const harmed = (lines: string[], number: number) =>
  lines.with(number - 1, lines[number - 1]?.replace('at', 'it') ?? '');

/** What is done to the lines, which of them is refused then, and how many changes are complete before it. */
const damages: readonly (readonly [string, (lines: string[]) => string[], number, number])[] = [
  ['of a later record', (lines) => harmed(lines, 9), 9, 1],
  ['at the end of a change', (lines) => harmed(lines, 14), 14, 2],
  ['in the last line', (lines) => harmed(lines, 24), 24, 5],
  ['that is missing', (lines) => lines.toSpliced(15, 1), 21, 3],
  ['of over 1 MB', (lines) => lines.with(15, seal({ value: 'x'.repeat(2 ** 20) })), 16, 3],
  ['whose break is', (lines) => lines.with(9, lines[9]?.replace('\n', '*') ?? ''), 10, 1],
];

test.each(damages)(
  'a damaged line %s is refused, with the command that keeps what is before it',
  async (_, harm, number, kept) => {
    const { path, states, lines } = await writeSample();
    const damaged = harm(lines).join('');
    await writeFile(path, damaged, 'latin1');
    const command = `head -n ${number - 1} '${path}' > NEW`;
    await expect(readWorlds(path)).rejects.toThrow(
      new RangeError(
        `data: ${path}: line ${number} is damaged; "${command}" keeps the changes before it in a new file, for --data NEW`,
      ),
    );
    expect(await readFile(path, 'latin1')).toBe(damaged);
    execFileSync('sh', ['-c', command.replace('NEW', `'${path}.new'`)]);
    expect(await readWorlds(`${path}.new`)).toEqual(states[kept]);
  },
);

test.each([
  ['half a line', -9],
  ['a line', -Infinity],
])(
  'the first change of a file is never taken for a torn tail where it lacks %s',
  async (_, end) => {
    const { path, lines } = await writeSample();
    const last = lines[3]?.slice(0, end) ?? '';
    await writeFile(path, [...lines.slice(0, 3), last].join(''), 'latin1');
    await expect(readWorlds(path)).rejects.toThrow(
      `data: ${path}: line 4 is damaged; nothing is left before it; give another file, or move this one away to start afresh`,
    );
  },
);

test('one bit that is not as it was written is refused, wherever it is before the last line break', async () => {
  const { path } = await writeSample();
  const bytes = await readFile(path);
  const last = 8 * (bytes.length - 1) - 1;
  const anyBit = fc.oneof(fc.nat(last), fc.integer({ min: last - 2_000, max: last }));
  await fc.assert(
    fc.asyncProperty(anyBit, async (bit) => {
      const flipped = Uint8Array.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await writeFile(path, flipped);
      await expect(readWorlds(path)).rejects.toThrow(/^data: .* (is damaged|got a)/);
    }),
    { numRuns: byNight(1_000, 250) },
  );
});
