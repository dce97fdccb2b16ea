import * as z from 'zod';
import { randomStateSchema } from '../../fixtures/random.ts';
import { type AnyDialect, dialectSchema } from '../../interface/dialect/dialect.ts';
import { differences } from '../../interface/dialect/statements.ts';
import { millisecondsSchema } from '../../interface/schemas.ts';
import { linesOf } from '../../text/text-bytes.ts';
import type { FaultsState, UnableEffects } from '../faults/fault.ts';
import { refuseUnable } from '../faults/faults.ts';
import { faultsStateSchema } from '../faults/schema.ts';
import { type Exchange, exchangeSchema } from '../journal/exchange.ts';
import { describeValue, Problem } from '../messages/problem.ts';
import {
  decodeBody,
  maxBodyDepth,
  parseJsonBody,
  refuseDeepJson,
  refuseProtoKey,
} from '../messages/read-json.ts';
import { validate } from '../messages/validate.ts';
import { refuseContradictions, type SavedState } from '../state/change.ts';
import { speedSchema } from '../state/clock-setting.ts';
import { sessionRecordSchema, streamRecordSchema } from '../state/record-schemas.ts';

/** Everything in a world, as JSON. An import continues from it. */
export interface ExportedState extends SavedState {
  /** The dialect of the mock that exported it; absent if that mock had none. */
  readonly dialect?: AnyDialect;
  /** The requests of clients with their responses. Only an export with the journal has them. */
  readonly journal?: readonly Exchange[];
  /** The faults: without them the same requests might get other responses. Only an export with the journal has them. */
  readonly faults?: FaultsState;
}

/** The version of exported states. */
const stateVersion = 2;

const stateHeadShape = {
  version: z.literal(stateVersion, `${stateVersion}, as in a state that this version has exported`),
  now: millisecondsSchema,
  speed: speedSchema.exactOptional(),
  seed: z.string('a string').exactOptional(),
  userId: z.string('a string'),
  random: randomStateSchema,
  dialect: dialectSchema.exactOptional(),
  faults: faultsStateSchema.exactOptional(),
};

const expectedState = 'a state that this mock has exported';

/** Schema of a state without its records and its journal. */
const stateHeadSchema: z.ZodType<Omit<ExportedState, 'streams' | 'sessions' | 'journal'>> =
  z.strictObject(stateHeadShape, expectedState);

/** Schema of a {@link ExportedState}. */
export const exportedStateSchema: z.ZodType<ExportedState> = z.strictObject(
  {
    ...stateHeadShape,
    streams: z.array(streamRecordSchema, 'an array of streams'),
    sessions: z.array(sessionRecordSchema, 'an array of sessions'),
    journal: z.array(exchangeSchema, 'an array of exchanges').exactOptional(),
  },
  expectedState,
);

/** The part of an exported state that a store keeps. */
export function savedPart({ dialect, journal, faults, ...saved }: ExportedState): SavedState {
  return saved;
}

/**
 * Refuses an exported state from which no world of a mock can continue.
 * @throws Problem 400 if the state contradicts itself or has another dialect; 422 for a fault that the integration
 * cannot produce.
 */
export function refuseUnusableState(
  exported: ExportedState,
  mock: { readonly dialectFile: AnyDialect | undefined; readonly unable: UnableEffects },
): void {
  refuseOtherDialect(mock.dialectFile, exported.dialect);
  refuseContradictions(exported);
  for (const [index, { fault }] of (exported.faults?.reports ?? []).entries()) {
    refuseUnable(fault, mock.unable, `faults.reports[${index}].fault.effect`);
  }
}

/** Refuses another dialect, under which the same requests would get other responses. */
function refuseOtherDialect(
  ofMock: AnyDialect | undefined,
  exported: AnyDialect | undefined,
): void {
  const [difference] = differences(ofMock, exported);
  if (difference === undefined) return;
  throw new Problem('not-allowed', {
    path: 'dialect',
    expected: ofMock
      ? `the dialect ${ofMock.name ?? 'of this mock'}`
      : 'none, as this mock has none',
    got: exported ? `${exported.name ?? 'another'}, which differs in ${difference}` : 'none',
    advice: `start the mock with${exported ? ' the dialect in the state' : 'out a dialect'}`,
  });
}

/** Content type of an exported state. */
export const stateType = 'application/x-ndjson';

/** Maximum size of a line in an exported state, in bytes. */
const maxLineBytes = 4 * 1024 * 1024;

/**
 * Writes a state as lines of JSON, each with its kind. The first line describes the state, the last counts the
 * others, and each line between them has one record.
 */
export function* stateLines(state: ExportedState): Generator<string, void> {
  const { streams, sessions, journal = [], ...head } = state;
  const exchanges = journal.map(fitIntoLine);
  const lineValues = { state: [head], stream: streams, session: sessions, exchange: exchanges };
  let lines = 0;
  for (const [kind, values] of Object.entries(lineValues)) {
    for (const value of values) {
      lines += 1;
      yield `${JSON.stringify({ kind, value })}\n`;
    }
  }
  yield `${JSON.stringify({ kind: 'end', value: { lines } })}\n`;
}

/** An exchange, without its bodies if it would not fit into a line with them. */
function fitIntoLine(exchange: Exchange): Exchange {
  if (JSON.stringify(exchange).length < maxLineBytes / 4) return exchange;
  const { body: _, ...request } = exchange.request;
  const { body: __, ...response } = exchange.response;
  return { ...exchange, request, response };
}

/** The schema of a line's value, by its kind. */
const lineSchemas = {
  state: stateHeadSchema,
  stream: streamRecordSchema,
  session: sessionRecordSchema,
  exchange: exchangeSchema,
  end: z.strictObject({ lines: z.int('a whole number') }, 'an object with the key lines'),
} as const;

type LineKind = keyof typeof lineSchemas;

const lineKinds = Object.keys(lineSchemas) as LineKind[];

const kindSchema = z.enum(lineKinds, `one of ${lineKinds.join(', ')}`);
const lineSchema = z.strictObject(
  { kind: kindSchema, value: z.looseObject({}, 'an object') },
  'an object with the keys kind and value',
);

/** The values of the lines that were read so far, by kind. */
type LineValues = { readonly [Name in LineKind]: z.infer<(typeof lineSchemas)[Name]>[] };

/**
 * Reads an exported state.
 * @throws Problem that names the line that is wrong.
 */
export function readStateLines(bytes: Uint8Array): ExportedState {
  const lineValues: LineValues = { state: [], stream: [], session: [], exchange: [], end: [] };
  let number = 0;
  for (const line of linesOf(bytes)) {
    number += 1;
    try {
      readLine(line, number, lineValues);
    } catch (exception) {
      throw atLine(number, exception as Problem);
    }
  }
  const [head] = lineValues.state;
  const lineCount = lineValues.end[0]?.lines;
  if (head === undefined || lineCount !== number - 1) {
    const expected =
      'a last line {"kind":"end"} that counts the lines before it, as in a whole state';
    const got = lineCount === undefined ? 'none' : `${lineCount} after ${number - 1} lines`;
    throw new Problem('invalid', { path: 'body', expected, got });
  }
  const { stream: streams, session: sessions, exchange: journal } = lineValues;
  return { ...head, streams, sessions, journal };
}

/**
 * Adds the value of a line to those before it; lines are numbered from 1.
 * @throws Problem 400, 413 or 422 if the line is wrong.
 */
function readLine(line: Uint8Array, number: number, lineValues: LineValues): void {
  // The first line may be longer, because it has all faults.
  if (lineValues.state.length > 0 && line.length > maxLineBytes) {
    const expected = `at most ${maxLineBytes} bytes`;
    throw new Problem('too-large', { path: 'body', expected, got: 'more' });
  }
  const parsed = parseJsonBody(decodeBody(line), number - 1);
  // A field of a body is nested two levels deeper in the line of its record, such as in {"value":{"further":{…}}}.
  refuseDeepJson(parsed, { deepest: maxBodyDepth + 2 });
  refuseProtoKey(parsed);
  const isFirst = lineValues.state.length === 0;
  const { kind: kindSent } = Object(parsed) as { readonly kind?: unknown };
  if (lineValues.end.length > 0 || isFirst !== (kindSent === 'state')) {
    const expected = isFirst
      ? `an exported state of version ${stateVersion}, which begins with {"kind":"state"`
      : 'no second state, and nothing after the line of kind end';
    const advice = isFirst ? 'export the state again with this version' : undefined;
    throw new Problem('invalid', { path: 'body', expected, got: describeValue(kindSent), advice });
  }
  const { kind, value } = validate(lineSchema, parsed);
  (lineValues[kind] as unknown[]).push(validate<unknown>(lineSchemas[kind], value));
}

/**
 * Reads the text of an exported state, such as a downloaded report, for the option `world` and for
 * `importState`.
 * @throws Problem that names the line that is wrong.
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
export async function parseState(text: string): Promise<ExportedState> {
  return readStateLines(new TextEncoder().encode(text));
}

/** Says in which line a problem is. */
function atLine(number: number, { code, issues }: Problem): Problem {
  const numbered = issues.map((issue) => ({
    ...issue,
    path: `line ${number}${issue.path === 'body' ? '' : `, ${issue.path}`}`,
  }));
  return new Problem(code, ...numbered);
}
