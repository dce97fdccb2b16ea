import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import { isSameJson, type Json } from '../../interface/json.ts';
import type { ArchivedStream, TesterAction } from '../journal/har.ts';
import type { Update } from '../state/change.ts';
import type { Moment } from '../state/moment.ts';
import type { Records } from '../state/state.ts';

/**
 * Something that a change does to a world. What the timeline, the archive and the journal remember of a change follows
 * from these, so no operation writes it down itself.
 */
export type Happening =
  | { readonly kind: 'created'; readonly stream: StreamRecord }
  | {
      readonly kind: 'switched';
      readonly stream: StreamRecord;
      readonly before: StreamRecord;
    }
  /** Fields other than the record value changed. */
  | {
      readonly kind: 'updated';
      readonly stream: StreamRecord;
      readonly before: StreamRecord;
      readonly fields: Record<string, Json>;
    }
  | { readonly kind: 'deleted'; readonly stream: StreamRecord }
  /** A session began. If it has a duration, it has ended already. */
  | { readonly kind: 'live'; readonly session: SessionRecord }
  | { readonly kind: 'ended'; readonly session: SessionRecord }
  /** The clock was moved. Times are milliseconds since 1970. */
  | { readonly kind: 'clock'; readonly at: number; readonly to: number };

/** What an update will do to records, and to a clock that shows `now`. */
export function happeningsOf(records: Records, now: number, update: Update): Happening[] {
  const { deleted = [], streams = [], sessions = [] } = update;
  const happenings = sessions.flatMap((session) => happeningOfSession(records, session) ?? []);
  const deletedIds = new Set(deleted);
  for (const id of deletedIds) {
    const stream = records.stream(id);
    if (stream !== undefined) happenings.push({ kind: 'deleted', stream });
  }
  for (const stream of streams) {
    // A deletion that leaves the id known deletes the stream and puts it, too.
    if (!deletedIds.has(stream.id)) happenings.push(...happeningsOfStream(records, stream));
  }
  if (update.now !== undefined && update.now !== now) {
    happenings.push({ kind: 'clock', at: now, to: update.now });
  }
  return happenings;
}

function happeningOfSession(records: Records, session: SessionRecord): Happening | undefined {
  const before = records.session(session.id);
  if (before === undefined) return { kind: 'live', session };
  const hasEnded = before.endedAt === undefined && session.endedAt !== undefined;
  return hasEnded ? { kind: 'ended', session } : undefined;
}

function happeningsOfStream(records: Records, stream: StreamRecord): Happening[] {
  const before = records.stream(stream.id);
  if (before === undefined) return [{ kind: 'created', stream }];
  if (stream.deletedAt !== undefined) return [{ kind: 'deleted', stream: before }];
  const happenings: Happening[] = [];
  if (before.record !== stream.record) happenings.push({ kind: 'switched', stream, before });
  const fields = changedFields(before, stream);
  if (Object.keys(fields).length > 0) happenings.push({ kind: 'updated', stream, before, fields });
  return happenings;
}

/** The fields that an update of a stream changes, besides its record value. */
function changedFields(before: StreamRecord, after: StreamRecord): Record<string, Json> {
  const { name, profiles, further } = before;
  if (name === after.name && profiles === after.profiles && further === after.further) return {};
  const fieldsOf = ({ name, profiles, further }: StreamRecord): Record<string, Json> => ({
    name,
    profiles: profiles as unknown as Json,
    ...further,
  });
  const fieldsBefore = fieldsOf(before);
  const changed = Object.entries(fieldsOf(after)).filter(
    ([field, value]) => !isSameJson(value, fieldsBefore[field]),
  );
  return Object.fromEntries(changed);
}

/** What the timeline shows of a happening that no session shows; `now` is when it happens. */
export function momentOf(happening: Happening, now: number): Moment | undefined {
  if (happening.kind === 'clock') return happening;
  if (happening.kind !== 'switched') return undefined;
  const { id, record } = happening.stream;
  return { kind: 'recording', at: now, streamId: id, record };
}

/** The stream that a happening changes, as it was before. */
export function originalOf(happening: Happening): StreamRecord | undefined {
  if (happening.kind === 'deleted') return happening.stream;
  return 'before' in happening ? happening.before : undefined;
}

/** What an archive says about a happening, if a tester made it; the clock of a service cannot be moved. */
export function actionOf(happening: Happening): TesterAction | undefined {
  switch (happening.kind) {
    case 'created':
      return { kind: 'created', stream: archivedStream(happening.stream) };
    case 'switched':
      return {
        kind: 'switched',
        streamId: happening.stream.id,
        record: happening.stream.record,
      };
    case 'updated':
      return { kind: 'updated', streamId: happening.stream.id, fields: happening.fields };
    case 'deleted':
      return { kind: 'deleted', streamId: happening.stream.id };
    case 'live': {
      const { id, parentId, duration } = happening.session;
      const live = { kind: 'live', streamId: parentId, sessionId: id } as const;
      return duration === undefined ? live : { ...live, duration };
    }
    case 'ended': {
      const { parentId, duration = 0 } = happening.session;
      return { kind: 'ended', streamId: parentId, duration };
    }
    case 'clock':
      return undefined;
  }
}

/** A stream, as an archive describes it. */
export function archivedStream(stream: StreamRecord): ArchivedStream {
  const { id, playbackId, name, profiles, record } = stream;
  return { id, playbackId, name, profiles, record };
}
