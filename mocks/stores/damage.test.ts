import { execFileSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byNight } from '../../tools/nightly.test-support.ts';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { seal } from './change-line.ts';
import { replaceBy, stream, update } from './contract-samples.ts';
import { changedWorlds, during, readWorlds } from './file.test-support.ts';
import { rearranged } from './rearranged.test-support.ts';

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

test('what an editor has added is no damage: a byte order mark, carriage returns and blank lines at the end', async () => {
  const { path, states, lines } = await writeSample();
  await writeFile(
    path,
    `\xef\xbb\xbf${lines.join('').replaceAll('\n', '\r\n')}\r\n \r\n`,
    'latin1',
  );
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

/** A file with a header and 50 changes of two worlds, most of them after a restart, and the states between them. */
async function writeFifty() {
  const path = temporaryFile('state.json');
  const { states, change } = changedWorlds();
  await during(path, async (store) => {
    await change(store, ['test-a', replaceBy(3)], ['test-b', replaceBy(2)]);
  });
  for (let number = 2; number < 50; number++) {
    const world = number % 3 === 0 ? 'test-b' : 'test-a';
    const updated = update({ now: number, streams: [stream(number % 7, `${number}`)] });
    const one = number === 30 ? replaceBy(4) : updated;
    await during(path, (store) => change(store, [world, one]));
  }
  return { path, states };
}

async function readLines(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'latin1')).split(/(?<=\n)/);
  return lines.filter((line) => line !== '');
}

/** Makes a file so long that it is compacted when it is opened again, and then adds a change. */
async function compactAndContinue(path: string): Promise<void> {
  const { change } = changedWorlds();
  const long = update({ streams: [stream(1, 'x'.repeat(200_000))] });
  await during(path, (store) => change(store, ['test-c', replaceBy(2)], ['test-c', long]));
  await during(path, (store) => change(store, ['test-c', long], ['test-c', replaceBy(2)]));
  const { size } = await stat(path);
  await during(path, (store) => change(store, ['test-c', update({ now: 7_000 })]));
  expect((await stat(path)).size).toBeLessThan(size / 2);
}

test.each([
  ['as it was written', 51, async () => {}],
  ['that was compacted', 5, compactAndContinue],
])(
  'a line that is missing, repeated or swapped is refused by its number, in a file %s',
  async (_, count, prepare) => {
    const { path } = await writeFifty();
    await prepare(path);
    const lines = await readLines(path);
    expect(lines).toHaveLength(count);
    for (const [what, harmed, index] of rearranged(lines)) {
      const number = index + 1;
      await writeFile(path, harmed.join(''), 'latin1');
      const reason =
        number === 1
          ? 'expected a file of worlds of version 4, got one whose first line is missing'
          : `line ${number} does not follow line ${number - 1}: a line is missing, repeated or moved; "head -n ${number - 1} '${path}' > NEW" keeps`;
      await expect(readWorlds(path), what).rejects.toThrow(`data: ${path}: ${reason}`);
    }
  },
);

test('without its last line, a file has what was acknowledged before', async () => {
  const { path, states } = await writeFifty();
  const lines = await readLines(path);
  await writeFile(path, lines.slice(0, -1).join(''), 'latin1');
  expect(await readWorlds(path)).toEqual(states.at(-2));
});

test('a line of another file is refused', async () => {
  const [{ path, lines }, other] = [await writeSample(), await writeFifty()];
  const mixed = lines.with(4, (await readLines(other.path))[4] ?? '');
  await writeFile(path, mixed.join(''), 'latin1');
  await expect(readWorlds(path)).rejects.toThrow('line 5 does not follow line 4');
});

/** Turns a file into one of version 3, whose lines do not have the checksum of the one before. */
async function toVersion3(path: string): Promise<void> {
  const [, ...lines] = await readLines(path);
  const header = seal({ kind: 'livestream-mock worlds', version: 3 });
  const sealed = lines.map((line) => {
    const { world, change } = JSON.parse(Buffer.from(line, 'latin1').toString());
    return seal({ world, change });
  });
  await writeFile(path, [header, ...sealed].join(''));
}

test('a file of version 3 is read and continued, and the order of its new lines is checked', async () => {
  const { path, states } = await writeFifty();
  await toVersion3(path);
  expect(await readWorlds(path)).toEqual(states.at(-1));
  const { change } = changedWorlds();
  for (const count of [1, 2, 3])
    await during(path, (store) => change(store, ['test-c', replaceBy(count)]));
  const lines = await readLines(path);
  for (const [what, harmed, index] of rearranged(lines)) {
    const number = index + 1;
    if (number <= 51 || what === 'item 50 repeated') continue;
    await writeFile(path, harmed.join(''), 'latin1');
    await expect(readWorlds(path), what).rejects.toThrow(`line ${number} does not follow`);
  }
});

test('a file of version 3 without the first change of a world is refused', async () => {
  const { path } = await writeFifty();
  await toVersion3(path);
  await writeFile(path, (await readLines(path)).toSpliced(1, 1).join(''), 'latin1');
  await expect(readWorlds(path)).rejects.toThrow(
    `data: ${path}: line 3 changes a world that no line before it begins; "head -n 2`,
  );
});
