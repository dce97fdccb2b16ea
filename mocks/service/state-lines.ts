import * as z from 'zod';
import type { FaultsState } from '../faults/fault.ts';
import { faultCountSchema, faultReportSchema, faultsStateSchema } from '../faults/schema.ts';
import { type Exchange, exchangeSchema } from '../journal/exchange.ts';
import { decodeUtf8, parseJson, refuseUnsafeJson } from '../messages/parse-json.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import { validate } from '../messages/validate.ts';
import { createLineSplitter, isTooLong, longestLine } from '../state/lines.ts';
import { recordSchemas, type Snapshot, stateHeadSchema, stateVersion } from './snapshot.ts';

/** Content type of an exported state. */
export const stateType = 'application/x-ndjson';

/** Largest exported state that is read, unless another limit is given: 64 MB. */
export const usualImport: number = 64 * 1024 * 1024;

/**
 * An exported state as lines of JSON, each with its kind. The first says what the state is, the last counts
 * the others, and between them is one record a line. A body that would be too long is left out.
 */
export function* stateLines(state: Snapshot): Generator<string, void> {
  const { streams, sessions, journal = [], faults, ...head } = state;
  const { reports = [], ...faultCount } = faults ?? {};
  const parts = {
    state: [head],
    stream: streams,
    session: sessions,
    exchange: journal.map(shortened),
    faults: faults === undefined ? [] : [faultCount],
    fault: reports,
  } as const satisfies Record<Exclude<Kind, 'end'>, readonly object[]>;
  let lines = 0;
  for (const [kind, values] of Object.entries(parts)) {
    for (const value of values) {
      lines += 1;
      yield `${JSON.stringify({ kind, value })}\n`;
    }
  }
  yield `${JSON.stringify({ kind: 'end', value: { lines } })}\n`;
}

function shortened(exchange: Exchange): Exchange {
  if (!isTooLong(JSON.stringify(exchange))) return exchange;
  const { body: _, ...answer } = exchange.answer;
  const shorter = { ...exchange, answer };
  if (!isTooLong(JSON.stringify(shorter))) return shorter;
  const { body: __, ...request } = exchange.request;
  return { ...shorter, request };
}

/** The schema of a line's value, by its kind; those of records depend on the dialect. */
const schemas = {
  state: stateHeadSchema,
  ...recordSchemas.usual,
  exchange: exchangeSchema,
  faults: faultCountSchema,
  fault: faultReportSchema,
  end: z.strictObject({ lines: z.int('a whole number') }, 'an object with the key lines'),
} as const;

type Kind = keyof typeof schemas;
type Parts = Record<Kind, unknown[]>;

const kinds = Object.keys(schemas) as Kind[];

const lineSchema = z.strictObject(
  {
    kind: z.enum(kinds, `one of ${kinds.join(', ')}`),
    value: z.unknown(),
  },
  'an object with the keys kind and value',
);

/** Reads an exported state of at most `most` bytes that comes in chunks. */
export function createStateReader(most: number = usualImport) {
  const splitter = createLineSplitter();
  const parts = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Parts;
  let bytes = 0;
  let lines = 0;
  let known: Record<Kind, z.ZodType> = schemas;

  const readLine = (line: Uint8Array): void => {
    if (line.length > longestLine) throw tooLarge(longestLine);
    const parsed = parseJson(decodeUtf8(line), 'body');
    // A record in its line has more levels than the body that made it.
    refuseUnsafeJson(parsed, 64);
    const { kind, value } = validate(lineSchema, parsed);
    if (parts.end.length > 0 || (kind === 'state') !== (lines === 1)) {
      const expected =
        lines === 1 ? 'state, which begins an exported state' : 'the end of the state';
      throw wrongState(expected, describeValue(kind));
    }
    parts[kind].push(validate(known[kind], value));
    if (kind === 'state' && 'dialect' in (value as Snapshot)) {
      known = { ...schemas, ...recordSchemas.dialect };
    }
  };
  const read = (line: Uint8Array): void => {
    lines += 1;
    try {
      readLine(line);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const other = lines === 1 ? otherText(line) : undefined;
      throw atLine(lines, other ?? error);
    }
  };
  return {
    /**
     * Takes the next bytes.
     * @throws Problem with the number of the line that is wrong; 413 for too many bytes.
     */
    add(chunk: Uint8Array): void {
      bytes += chunk.length;
      if (bytes > most) throw tooLarge(most, 'allow more (maxImport, serve --max-import)');
      splitter.add(chunk).forEach(read);
      // A line that does not end must not fill the memory.
      if (splitter.rest().length > longestLine) read(splitter.rest());
    },
    /** The whole state. @throws Problem as `add` does, also where it is not complete. */
    end(): Snapshot {
      const rest = splitter.rest();
      if (rest.length > 0) read(rest);
      const [end] = parts.end as { lines: number }[];
      if (end?.lines !== lines - 1) {
        const got = end ? `${end.lines} after ${lines - 1} lines` : `none after ${lines} lines`;
        throw wrongState(lastLine, got);
      }
      const [faults] = parts.faults as object[];
      return {
        ...(parts.state[0] as Snapshot),
        streams: parts.stream as Snapshot['streams'],
        sessions: parts.session as Snapshot['sessions'],
        journal: parts.exchange as Exchange[],
        ...(faults !== undefined && { faults: readFaults(faults, parts.fault) }),
      };
    },
  };
}

/**
 * Reads the text of an exported state, such as a report that was downloaded, for the option `world` and for
 * `importState`.
 * @throws Problem with the number of the line that is wrong.
 * @example
 * ```ts
 * import { createMock, parseState } from 'livestream-mock';
 *
 * const exported = await createMock({ world: 'demo' }).fetch(
 *   new Request('http://livestream.test/_mock/state', { headers: { authorization: 'Bearer test-demo' } }),
 * );
 * const mock = createMock({ world: await parseState(await exported.text()) });
 * console.log((await mock.world()).streams().length); // 6
 * ```
 */
export async function parseState(text: string): Promise<Snapshot> {
  const reader = createStateReader(Number.POSITIVE_INFINITY);
  reader.add(new TextEncoder().encode(text));
  return reader.end();
}

/** @throws Problem 422 */
function readFaults(count: object, reports: readonly unknown[]): FaultsState {
  const faults = { ...count, reports } as FaultsState;
  // Only how many they are is not known yet.
  return validate(z.object({ faults: faultsStateSchema }), { faults }).faults;
}

/** Puts the number of a line before what is wrong in it. */
function atLine(number: number, { code, issues }: Problem): Problem {
  const numbered = issues.map((issue) => ({
    ...issue,
    path: `line ${number}${issue.path === 'body' ? '' : `, ${issue.path}`}`,
  }));
  return new Problem(code, ...numbered);
}

/** What to say of a first line, unless it begins as that of a state does. */
function otherText(firstLine: Uint8Array): Problem | undefined {
  const start = new TextDecoder().decode(firstLine.subarray(0, 100));
  if (/^\s*\{\s*("kind"\s*:\s*"state"|"value"\s*:)/.test(start)) return undefined;
  const expected = `an exported state of version ${stateVersion}, which begins with {"kind":"state"`;
  const got = start.includes('"livestream-mock worlds"')
    ? 'a file that --data has written; open it with --data'
    : 'another text; arrange the world again in this version and export it';
  return wrongState(expected, got);
}

const lastLine = 'a last line {"kind":"end"} that counts the lines before it, as in a whole state';

function wrongState(expected: string, got: string): Problem {
  return new Problem('invalid', { path: 'body', expected, got });
}

function tooLarge(most: number, advice?: string): Problem {
  const issue = { path: 'body', expected: `at most ${most} bytes`, got: 'more' };
  return new Problem('too-large', advice === undefined ? issue : { ...issue, advice });
}
