import * as z from 'zod';
import { type Breaks, breaks } from './breaks.ts';
import { type Behaviours, rowIds, rowOf, usualBehaviours } from './silent.ts';

/** How one service does what the interface leaves open: a file that is read and reviewed like code. */
export interface Dialect {
  readonly format: 'livestream-mock/dialect';
  readonly version: 1;
  /** Which service it describes, and in how far. */
  readonly name?: string;
  /** The rows that are known; the mock does the others as it does without a dialect. */
  readonly rows: Partial<Behaviours>;
  readonly breaks?: Breaks;
}

const rowSchemas = Object.fromEntries(rowIds.map((id) => [id, rowOf(id).values.exactOptional()]));

const breakSchemas = Object.fromEntries(
  Object.entries(breaks).map(([id, { values }]) => [id, (values as z.ZodType).exactOptional()]),
);

/** Schema of a dialect file, made from the table of silent behaviours; an unknown row is refused. */
export const dialectSchema: z.ZodType<Dialect> = z.strictObject(
  {
    format: z.literal('livestream-mock/dialect', '"livestream-mock/dialect"'),
    version: z.literal(1, '1'),
    name: z.string('a text').exactOptional(),
    rows: z.strictObject(rowSchemas, 'an object of known rows'),
    breaks: z.strictObject(breakSchemas, 'an object of known breaks').exactOptional(),
  },
  'an object with format, version and rows',
) as unknown as z.ZodType<Dialect>;

/** A value for each row: those of a dialect, and the mock's own for the others. */
export function behavioursOf(dialect: Dialect | undefined): Behaviours {
  return dialect === undefined ? usualBehaviours : { ...usualBehaviours, ...dialect.rows };
}
