import * as z from 'zod';
import { exactly } from '../../interface/schemas.ts';
import type { Exchange } from './exchange.ts';
import type { HttpArchive } from './har.ts';

/** What the variants of a mock have changed so far. */
export interface VariantEvidence {
  /** The variants as the mock was asked for them, such as `oldest-first+slow`; empty without a variant. */
  variant: string;
  /** How many responses to clients were compared with those that other mocks would have sent, in all worlds. */
  compared: number;
  /**
   * How many of these would have been different without a variant, by its name. If a mock without variants reports to
   * `check-client`, `dialect` is how many would have been different without its dialect.
   */
  changed: Record<string, number>;
}

/** What a mock without a variant says. */
export const noEvidence: Readonly<VariantEvidence> = { variant: '', compared: 0, changed: {} };

/** What a mock reports about one of its worlds, as JSON, to the address in `LIVESTREAM_EVIDENCE_URL`. */
export interface EvidenceReport {
  /** The id of the mock. A mock may report several times. */
  mock: string;
  /** What its variants have changed so far, in all its worlds. */
  evidence: VariantEvidence;
  /** What the app sent since the last report of the mock, and the responses. API keys are replaced. */
  requests: Exchange[];
  /** The same requests as an HTTP archive. */
  archive: HttpArchive;
}

const countSchema = z.int('a whole number');

/** Schema of {@link VariantEvidence}. */
export const variantEvidenceSchema: z.ZodType<VariantEvidence> = exactly({
  variant: z.string('a string'),
  compared: countSchema,
  changed: z.record(z.string(), countSchema, 'an object of numbers'),
});
