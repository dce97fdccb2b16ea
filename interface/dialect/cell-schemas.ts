import * as z from 'zod';
import { jsonSchema } from '../json.ts';
import {
  type AcceptedAs,
  acceptedAs,
  type Cell,
  isRefusal,
  type Refusal,
  type RefusalBody,
  redirectStatuses,
} from './cells.ts';

/** A cell as it stands in a file: a status, a way to accept it, or an object. */
export type WrittenCell = number | AcceptedAs | Cell;

/** A refusal as it stands in a file: a status, or an object if the body is not the usual one. */
export type WrittenRefusal = number | Refusal;

/** A content type, as a dialect writes it. */
export const contentType: RegExp = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:; ?charset=[\w-]{1,20})?$/;

/** Schema of a content type. */
export const typeSchema = z.string('a content type such as text/plain').regex(contentType);

/** Schema of {@link RefusalBody}. */
export const refusalBodySchema: z.ZodType<RefusalBody> = z
  .union(
    [z.literal('empty'), z.strictObject({ type: typeSchema, json: jsonSchema.exactOptional() })],
    '"empty", {"type"} for a text or {"type","json"} for JSON',
  )
  .refine(
    (body) => !/"\{(?!(message|status)\}")\w+\}"/.test(JSON.stringify(body)),
    'no placeholders other than {message} and {status}',
  );

const statusSchema = z.int('a status from 400 to 599').min(400).max(599);
const refusalShape = { status: statusSchema, body: refusalBodySchema.exactOptional() };

/** Schema of {@link Refusal}. */
export const refusalSchema: z.ZodType<Refusal> = z.strictObject(
  refusalShape,
  '{"status"} of a refusal, from 400 to 599',
);

/** Schema of {@link WrittenRefusal}. */
export const writtenRefusalSchema: z.ZodType<WrittenRefusal> = z.union(
  [statusSchema, refusalSchema],
  'a status from 400 to 599, or {"status","body"}',
);

const boundSchema = z.number('a number, 0 or above').min(0).exactOptional();
const limits = { above: boundSchema, below: boundSchema };
const cellForm = `a status from 400 to 599, {"status","body"}, or one of ${acceptedAs.join(', ')}, {"constant"}, {"redirect"}`;

/** Schema of {@link WrittenCell}, whatever the error. */
export const writtenCellSchema: z.ZodType<WrittenCell> = z.union(
  [
    statusSchema,
    z.enum(acceptedAs),
    z.strictObject({ ...refusalShape, ...limits }),
    z.strictObject({ as: z.enum(acceptedAs), ...limits }),
    z.strictObject({ constant: jsonSchema, ...limits }),
    z.strictObject({ redirect: z.literal(redirectStatuses) }),
  ],
  cellForm,
) as unknown as z.ZodType<WrittenCell>;

/** A cell from a file. */
export function readCell(cell: WrittenCell): Cell {
  if (typeof cell === 'number') return { status: cell };
  return typeof cell === 'string' ? { as: cell } : cell;
}

/** A cell as it stands in a file. */
export function writeCell(cell: Cell): WrittenCell {
  if (Object.keys(cell).length > 1) return cell;
  if (isRefusal(cell)) return cell.status;
  return 'as' in cell ? cell.as : cell;
}
