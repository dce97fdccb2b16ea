import type { PlainResponse } from '../messages/response.ts';
import type { OpenWorld, Requester } from '../service/world.ts';
import type { FinalStage, Plan, ReadingStage } from './plan.ts';
import type { RecordTexts } from './responses/record-texts.ts';

/** What can be read of a request before its world is known. */
type Reading = Pick<Site, 'dialect' | 'url' | 'json'>;

/** A request that has entered its world. */
export interface Site extends Requester {
  readonly plan: Plan;
  readonly url: URL;
  /** The parameter in the path; empty if there is none. */
  readonly id: string;
  /** The value of the JSON in the body. */
  readonly json: unknown;
  readonly texts: RecordTexts;
  /** The world of another API key to which an id belongs, if this process has it open. */
  readonly otherWorldWith: (id: string) => OpenWorld | undefined;
}

/**
 * The stages of one operation, each of which hands on what it finds, and its response. A stage that the operation does
 * not have is {@link nothing}.
 */
interface OperationDefinition<Query, Fields, Subject, State> {
  query(reading: Reading): Query;
  fields(reading: Reading): Fields;
  /** Finds what the id in the path names. */
  id(site: Site): Subject;
  /**
   * Checks whether the state of what was found allows the operation, and finds what depends on it.
   * @param fields absent where a dialect checks the state before the fields
   */
  state(site: Site, subject: Subject, fields: Fields | undefined): State;
  respond(site: Site, found: Found<Query, Fields, Subject, State>): PlainResponse;
}

/** What the stages of an operation find, by their names. */
interface Found<Query, Fields, Subject, State> {
  readonly query: Query;
  readonly fields: Fields;
  readonly id: Subject;
  readonly state: State;
}

/** A stage that an operation does not have: it finds nothing. */
export const nothing = (): undefined => undefined;

/** An operation of the interface, whatever its stages find. */
export interface InterfaceOperation {
  /** Its stages, in no order. */
  readonly stages: readonly FinalStage[];
  /** Reads a part of a request only to refuse what is wrong with it. @throws Problem and EarlyEnd */
  preview(stage: ReadingStage, reading: Reading): void;
  /** Finds the record only to refuse a wrong id. @throws Problem and EarlyEnd */
  previewId(site: Site): void;
  /** Runs its stages in the order of the plan, in one step, and responds. @throws Problem and EarlyEnd */
  carryOut(site: Site): PlainResponse;
}

/** Makes an operation of its stages. */
export function defineOperation<Query, Fields, Subject, State>(
  definition: OperationDefinition<Query, Fields, Subject, State>,
): InterfaceOperation {
  return {
    stages: (['query', 'fields', 'id', 'state'] as const).filter(
      (stage) => !Object.is(definition[stage], nothing),
    ),
    preview(stage, reading) {
      definition[stage](reading);
    },
    previewId(site) {
      definition.id(site);
    },
    carryOut(site) {
      const query = once(() => definition.query(site));
      const id = once(() => definition.id(site));
      const fields = once(() => definition.fields(site));
      let fieldsRead: Fields | undefined;
      const state = once(() => definition.state(site, id(), fieldsRead));
      for (const stage of site.plan.final) {
        if (stage === 'query') query();
        else if (stage === 'id') id();
        else if (stage === 'fields') fieldsRead = fields();
        else state();
      }
      return definition.respond(site, {
        query: query(),
        fields: fields(),
        id: id(),
        state: state(),
      });
    },
  };
}

/** Finds something the first time it is asked for, and hands it on after that. */
function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}
