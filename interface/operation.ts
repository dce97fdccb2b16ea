import type * as z from 'zod';

/** One operation, as its area describes it. */
export interface OperationShape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the API prefix, or from `/_mock`; parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly query?: readonly QueryParameter[];
  readonly body?: z.ZodType;
  /** Whether the body may be as large as a state. */
  readonly largeBody?: true;
  readonly status: number;
  readonly answer?: z.ZodType;
}

/** One operation of the interface, or of the control API beside it. */
export interface Operation extends OperationShape {
  /** Whether the path lies below the API prefix or below `/_mock`. */
  readonly area: 'interface' | 'control';
}

/** A parameter behind the question mark. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}
