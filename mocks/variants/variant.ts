import type { Dialect } from '../../interface/dialect/dialect.ts';
import type { Rewrite } from '../messages/client-request.ts';
import type { IdForm } from '../state/ids.ts';

/** Who has to be able to live with a variant. */
type Audience =
  /** The app of a developer. */
  | 'app'
  /** Only this project's suite: it changes nothing that an app sends or shows. */
  | 'suite';

/** A service that differs from the mock, and still keeps the interface. */
export interface Variant {
  /** What the service did, in the past tense and in words of an app's developer: "Sessions came oldest first." */
  readonly statement: string;
  /** The clause of the interface that leaves this open, such as `4.3`. */
  readonly clause: string;
  /** Why the interface allows it, in one line that could be put to the interface's owner. */
  readonly argument: string;
  /** What a test of an app has to do so that the app meets it, as the end of "A test would have to …". */
  readonly metBy: string;
  /**
   * What has to differ in a response so that the app has met it, if not just anything: an address of a recording alone
   * does not show that it is redirected, nor the header of a page that there is another one.
   */
  readonly shownBy?: 'status' | 'body';
  /**
   * What to do if only the set-up of a test relies on the opposite, so that an app that survives fails its test: a
   * sentence. Absent if that is unlikely.
   */
  readonly ofTest?: string;
  readonly audience: Audience;
  /**
   * Whether it lacks what most apps need, such as a list of all streams, or has more than their tests have set up, so that
   * it is reported apart.
   */
  readonly isApart?: true;
  /** What a dialect can describe of it. */
  readonly dialect?: Omit<Dialect, 'dialect' | 'name'>;
  /** What options can describe of it. */
  readonly options?: VariantOptions;
  /** What neither can describe. It never sees a request of a tester, or one to the control API. */
  readonly rewrite?: Rewrite;
}

/** What to do with a test that has to see what a variant hides, or does otherwise. */
export function keepPlain(whatTestSees: string): string {
  return `If a test has to see ${whatTestSees}: with the fixtures, keep it to the plain mock by variant: ''; otherwise, list the variant in the file of --known.`;
}

/** The settings of a mock that only variants change. */
export interface VariantOptions {
  /** Whether others have streams in the same account, which testers do not see. */
  readonly hasOthers?: true;
  /** The form of the ids of new streams. */
  readonly streamIds?: IdForm;
  /** The form of the ids of new sessions. */
  readonly sessionIds?: IdForm;
}

/** Variants by their names, which say how they differ. */
export type VariantTable = Readonly<Record<string, Variant>>;
