import { Collection } from '@msw/data';
import { recommendedProfiles } from '../fixtures/profiles.ts';
import type { Profile, SessionRecord, StreamRecord } from '../fixtures/types.ts';

/**
 * A record on its way into a collection. The library copies what it is given, deeply and into objects
 * of many shapes, which in a large world would cost most of the time and memory; what lies behind a
 * function it leaves alone.
 */
export interface Wrapped<Fact> {
  readonly unwrap: () => Fact;
}

/** What `@msw/data` asks of a schema (Standard Schema, version 1). */
export interface RecordSchema<Fact> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Wrapped<Fact>; readonly output: Fact };
    validate(value: unknown): { readonly value: Fact };
  };
}

/**
 * A schema that keeps a copy of a record as `store` writes it. Records have been checked where they
 * came in, or are our own.
 */
export function keepAs<Fact>(store: (record: Fact) => Fact): RecordSchema<Fact> {
  return {
    '~standard': {
      version: 1,
      vendor: 'livestream-mock',
      validate: (value) => ({ value: store((value as Wrapped<Fact>).unwrap()) }),
    },
  };
}

let primaryKey: Promise<symbol | undefined> | undefined;

/**
 * The library's symbol for a record's primary key, which it exports under no name: it is seen on a
 * record that the library has made. A record that has none is given a UUID, which takes more memory
 * than the record itself.
 */
export function findPrimaryKey(): Promise<symbol | undefined> {
  primaryKey ??= new Collection({ schema: keepAs(() => ({})) })
    .create({ unwrap: () => ({}) })
    .then((record) =>
      Object.getOwnPropertySymbols(record).find(({ description }) => description === 'kPrimaryKey'),
    );
  return primaryKey;
}

/** A stream as it is kept. */
export function storedStream(stream: StreamRecord): StreamRecord {
  const { id, name, createdAt, profiles, streamKey, playbackId, record } = stream;
  return {
    id,
    name,
    createdAt,
    profiles: shareProfiles(profiles, recommendedProfiles),
    streamKey,
    playbackId,
    record,
  };
}

/** A session as it is kept: it has inherited its profiles, and shares them with its parent. */
export function storedSession(
  session: SessionRecord,
  parent: StreamRecord | undefined,
): SessionRecord {
  const { id, parentId, name, createdAt, record, endedAt, duration, recordingStatus } = session;
  return {
    id,
    parentId,
    name,
    createdAt,
    record,
    profiles: shareProfiles(session.profiles, parent?.profiles ?? []),
    ...(endedAt !== undefined && { endedAt }),
    ...(duration !== undefined && { duration }),
    ...(recordingStatus !== undefined && { recordingStatus }),
  };
}

/**
 * `known` where `profiles` say the same, as those of an imported session do, so that they are in memory
 * once; or else a copy, as whoever has handed them in may change them.
 */
function shareProfiles(
  profiles: readonly Profile[],
  known: readonly Profile[],
): readonly Profile[] {
  if (profiles === known) return known;
  const copy = profiles.map((profile) => ({ ...profile }));
  return JSON.stringify(copy) === JSON.stringify(known) ? known : copy;
}
