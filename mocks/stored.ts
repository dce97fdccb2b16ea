import { Collection } from '@msw/data';
import { recommendedProfiles } from '../fixtures/profiles.ts';
import type { Profile, SessionRecord, StreamRecord } from '../fixtures/types.ts';

/** What `@msw/data` asks of a schema (Standard Schema, version 1). */
export interface RecordSchema<Fact> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Fact; readonly output: Fact };
    validate(value: unknown): { readonly value: Fact };
  };
}

/**
 * A schema that keeps a record as `store` writes it. Records have been checked where they came in, or
 * are our own; but the library copies what it is given, deeply and into objects of many shapes, which
 * in a large world would cost most of the memory.
 */
export function keepAs<Fact>(store: (copy: Fact) => Fact): RecordSchema<Fact> {
  return {
    '~standard': {
      version: 1,
      vendor: 'livestream-mock',
      validate: (value) => ({ value: store(value as Fact) }),
    },
  };
}

let primaryKey: Promise<symbol | undefined> | undefined;

/**
 * The library's symbol for a record's primary key, which it exports under no name: it is seen when the
 * library asks a record for it. A record that has none is given a UUID, which takes more memory
 * than the record itself.
 */
export function findPrimaryKey(): Promise<symbol | undefined> {
  primaryKey ??= watchForPrimaryKey();
  return primaryKey;
}

async function watchForPrimaryKey(): Promise<symbol | undefined> {
  let seen: symbol | undefined;
  const record = new Proxy(
    {},
    {
      get(_, key) {
        if (typeof key !== 'symbol' || key.description !== 'kPrimaryKey') return undefined;
        seen = key;
        return 'probe';
      },
    },
  );
  await new Collection({ schema: keepAs(() => ({})) }).create(record);
  return seen;
}

/** A stream as it is kept. */
export function storedStream(copy: StreamRecord): StreamRecord {
  const { id, name, createdAt, profiles, streamKey, playbackId, record } = copy;
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
  copy: SessionRecord,
  parent: StreamRecord | undefined,
): SessionRecord {
  const { id, parentId, name, createdAt, record, endedAt, duration, recordingStatus } = copy;
  return {
    id,
    parentId,
    name,
    createdAt,
    record,
    profiles: shareProfiles(copy.profiles, parent?.profiles ?? []),
    ...(endedAt !== undefined && { endedAt }),
    ...(duration !== undefined && { duration }),
    ...(recordingStatus !== undefined && { recordingStatus }),
  };
}

/** `known` where `profiles` say the same, so that they are in memory once. */
function shareProfiles(
  profiles: readonly Profile[],
  known: readonly Profile[],
): readonly Profile[] {
  if (profiles.length !== known.length) return profiles;
  return JSON.stringify(profiles) === JSON.stringify(known) ? known : profiles;
}
