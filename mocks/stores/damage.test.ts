import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { replaceBy, stream, update } from './contract-samples.ts';
import { changedWorlds, during, readWorlds } from './file.test-support.ts';

/** A file with a header and six changes, the states between them, and its size when each was acknowledged. */
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

test.each([
  ['half a line', (line: string) => line.slice(0, 20)],
  ['zeros', () => '\0'.repeat(4_096)],
])('an incomplete last change is removed and reported: %s', async (_, tear) => {
  const { path, states, lines } = await writeSample();
  const torn = tear(lines.at(-1) ?? '');
  await writeFile(path, lines.with(-1, torn).join(''), 'latin1');
  const { change } = changedWorlds();
  await during(path, async (store) => {
    const notice = `data: ${path} ended in a change that was only partly written; its ${torn.length} bytes were removed`;
    expect(store.notice).toBe(notice);
    await change(store, ['test-c', replaceBy(0)]);
  });
  expect(await readWorlds(path)).toEqual({ ...states[5], 'test-c': expect.any(String) });
});

test('the last change is kept if an editor has removed its line break', async () => {
  const { path, states, lines } = await writeSample();
  await writeFile(path, lines.join('').trimEnd(), 'latin1');
  const { change } = changedWorlds();
  await during(path, async (store) => {
    expect(store.notice).toBeUndefined();
    await change(store, ['test-c', replaceBy(0)]);
  });
  expect(await readWorlds(path)).toEqual({ ...states[6], 'test-c': expect.any(String) });
});

test('wherever a file is cut, everything that was acknowledged by then is there', async () => {
  const { path, states, sizes } = await writeSample();
  const bytes = await readFile(path);
  for (let size = 0; size <= bytes.length; size += byNight(1, 7)) {
    await writeFile(path, bytes.subarray(0, size));
    // The line break at its end carries no information.
    const count = sizes.filter((acknowledged) => acknowledged - 1 <= size).length;
    expect([size, await readWorlds(path)]).toEqual([size, states[count]]);
  }
});

const harmed = (lines: string[], number: number) =>
  lines.with(number - 1, lines[number - 1]?.replace('at', 'it') ?? '');

/** What is done to the lines, and which of them is then refused. */
const damages: readonly (readonly [string, (lines: string[]) => string[], number])[] = [
  ['in the middle', (lines) => harmed(lines, 3), 3],
  ['that is the last one', (lines) => harmed(lines, 7), 7],
  ['whose break is', (lines) => lines.with(3, lines[3]?.replace('\n', '*') ?? ''), 4],
];

test.each(damages)(
  'a damaged line %s is refused, with the command that keeps what is before it',
  async (_, harm, number) => {
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
    expect(await readWorlds(`${path}.new`)).toEqual(states[number - 2]);
  },
);

test('a flipped bit before the last line break is detected, wherever it is', async () => {
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
