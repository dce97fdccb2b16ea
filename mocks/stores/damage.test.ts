import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { seal } from './change-lines.ts';
import { changedWorlds, during, newPath, readWorlds } from './file.test-support.ts';
import { replaceBy, stream, update } from './sample-changes.ts';

/** A file of six changes in 24 lines, and the states between them. */
async function writeSample() {
  const path = await newPath();
  const { states, change } = changedWorlds();
  await during(path, async (store) => {
    await change(store, ['test-a', replaceBy(3)]);
    await change(store, ['test-b', replaceBy(2)]);
    await change(store, ['test-a', update({ streams: [stream(301, 'J\u0000b\n')] })]);
    await change(store, ['test-b', replaceBy(3)]);
    await change(store, ['test-a', update({ deleted: [stream(1).id] })]);
    await change(store, ['test-b', update({ now: 3_000 })]);
  });
  return { path, states, lines: (await readFile(path, 'latin1')).split(/(?<=\n)/) };
}

/** What a kill or a power cut can leave of the last change; how many changes are complete before it. */
const tornTails: readonly (readonly [string, (lines: string[]) => string[], number])[] = [
  ['half a line', (lines) => [...lines.slice(0, -1), lines.at(-1)?.slice(0, 20) ?? ''], 5],
  ['zeros', (lines) => [...lines.slice(0, -1), '\0'.repeat(4_096)], 5],
  ['a change without its last line', (lines) => lines.slice(0, 21), 3],
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

test('a file that is as it was left says nothing', async () => {
  const { path, states } = await writeSample();
  expect(await during(path, async (store) => store.notice)).toBe(undefined);
  expect(await readWorlds(path)).toEqual(states.at(-1));
});

/** Which line is damaged, and how many changes are complete before it. */
const damages = [
  [9, 1],
  [13, 1],
  [14, 2],
  [15, 2],
  [16, 3],
  [22, 3],
  [23, 4],
  [24, 5],
] as const;

test.each(damages)(
  'damage in line %i is refused, with the command that keeps what is before it',
  async (number, kept) => {
    const { path, states, lines } = await writeSample();
    const damaged = lines.with(number - 1, lines[number - 1]?.replace('at', 'it') ?? '').join('');
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

test('where nothing stands before the damage, no command is advised', async () => {
  const { path, lines } = await writeSample();
  await writeFile(path, lines.with(1, lines[1]?.replace('at', 'it') ?? '').join(''), 'latin1');
  await expect(readWorlds(path)).rejects.toThrow(
    `data: ${path}: line 2 is damaged; nothing is left before it; give another file, or move this one away to start afresh`,
  );
});

test('a last line that lacks its line break alone is read, and the file goes on', async () => {
  const { path, states, lines } = await writeSample();
  await writeFile(path, lines.join('').trimEnd(), 'latin1');
  expect(await readWorlds(path)).toEqual(states.at(-1));
  await during(path, (store) => changedWorlds().change(store, ['test-c', replaceBy(0)]));
  expect(await readWorlds(path)).toEqual({ ...states.at(-1), 'test-c': expect.any(String) });
});

test('the whole state, with which a file begins, is never taken for a torn tail', async () => {
  const { path, lines } = await writeSample();
  await writeFile(path, lines.slice(0, 4).join('').slice(0, -9), 'latin1');
  await expect(readWorlds(path)).rejects.toThrow(`data: ${path}: line 4 is damaged;`);
});

test('a file that lacks a line is refused at the end of that change', async () => {
  const { path, lines } = await writeSample();
  await writeFile(path, lines.toSpliced(15, 1).join(''), 'latin1');
  await expect(readWorlds(path)).rejects.toThrow(`data: ${path}: line 21 is damaged;`);
});

test('a line of over 1 MB is refused', async () => {
  const { path, lines } = await writeSample();
  await writeFile(path, lines.with(15, seal({ value: 'x'.repeat(2 ** 20) })).join(''), 'latin1');
  await expect(readWorlds(path)).rejects.toThrow(`data: ${path}: line 16 is damaged;`);
});

test('of two lines whose break is damaged none is taken for a torn one', async () => {
  const { path, lines } = await writeSample();
  await writeFile(
    path,
    lines.map((line, at) => (at === 9 ? line.replace('\n', '*') : line)).join(''),
    'latin1',
  );
  await expect(readWorlds(path)).rejects.toThrow(`data: ${path}: line 10 is damaged;`);
});

test('one bit that is not as it was written is refused, wherever it is', async () => {
  const { path } = await writeSample();
  const bytes = await readFile(path);
  const last = 8 * bytes.length - 1;
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
