import type { PlainResponse } from '../messages/response.ts';
import type { ReadFields } from '../service/read-fields.ts';
import type { Requester } from '../service/world.ts';
import type { ListQuery } from './list-query.ts';
import type { FinalStage, Plan, ReadingStage } from './plan.ts';
import type { RecordTexts } from './record-texts.ts';

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
  /** Whether an id belongs to another API key whose world this process has open. */
  readonly belongsToOtherKey: (id: string) => boolean;
}

/** What the stages of an operation find, by their names. */
interface Found<Query, Fields, Record> {
  readonly query: Query;
  readonly fields: Fields;
  readonly id: Record;
}

/** The stages of one operation, of which each hands on what it finds, and its response. */
interface OperationDefinition<Query, Fields, Record> {
  query?(reading: Reading): Query;
  fields?(reading: Reading): Fields;
  /** Finds the record with the id in the path. */
  id?(site: Site): Record;
  /** Checks whether the state of the record allows the operation. A dialect can put that before the fields. */
  state?(site: Site, record: Record, fields: Fields | undefined): void;
  respond(site: Site, found: Found<Query, Fields, Record>): PlainResponse;
}

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

export function defineOperation<
  Query extends ListQuery = never,
  Fields extends ReadFields = never,
  Record = never,
>(definition: OperationDefinition<Query, Fields, Record>): InterfaceOperation {
  const { query, fields, id, state, respond } = definition;
  return {
    stages: (['query', 'fields', 'id', 'state'] as const).filter((stage) => stage in definition),
    preview(stage, reading) {
      definition[stage]?.(reading);
    },
    previewId(site) {
      id?.(site);
    },
    carryOut(site) {
      const found: Partial<Writable<Found<Query, Fields, Record>>> = {};
      for (const stage of site.plan.final) {
        if (stage === 'query') found.query = query?.(site) as Query;
        else if (stage === 'fields') found.fields = fields?.(site) as Fields;
        else if (stage === 'id') found.id = id?.(site) as Record;
        else state?.(site, found.id as Record, found.fields);
      }
      // A plan has all stages of its operation, and a state after what it needs.
      return respond(site, found as Found<Query, Fields, Record>);
    },
  };
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
