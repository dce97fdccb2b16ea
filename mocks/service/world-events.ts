import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import { isSameJson, type Json } from '../../interface/json.ts';
import type { RecordingStatus } from '../../interface/types.ts';
import type { ArchivedStream, TesterAction } from '../journal/har.ts';
import type { Update } from '../state/change.ts';
import type { Moment } from '../state/moment.ts';
import type { Records } from '../state/state.ts';

/**
 * Something that a change does to a world. What the timeline, the archive and the journal remember of a change follows
 * from these, so no operation writes it down itself.
 */
export type WorldEvent =
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
  /** The status of a session's recording was fixed, by a tester or by a fault. */
  | {
      readonly kind: 'settled';
      readonly session: SessionRecord;
      readonly recordingStatus: RecordingStatus;
    }
  /** The clock was moved. Times are milliseconds since 1970. */
  | { readonly kind: 'clock'; readonly at: number; readonly to: number };

/** What an update will do to records, and to a clock that shows `now`. */
export function eventsOf(records: Records, now: number, update: Update): WorldEvent[] {
  const { deleted = [], streams = [], sessions = [] } = update;
  const events = sessions.flatMap((session) => eventsOfSession(records, session));
  const deletedIds = new Set(deleted);
  for (const id of deletedIds) {
    const stream = records.stream(id);
    if (stream !== undefined) events.push({ kind: 'deleted', stream });
  }
  for (const stream of streams) {
    // A deletion that leaves the id known deletes the stream and puts it, too.
    if (!deletedIds.has(stream.id)) events.push(...eventsOfStream(records, stream));
  }
  if (update.now !== undefined && update.now !== now) {
    events.push({ kind: 'clock', at: now, to: update.now });
  }
  return events;
}

function eventsOfSession(records: Records, session: SessionRecord): WorldEvent[] {
  const before = records.session(session.id);
  const { endedAt, recordingStatus } = session;
  const events: WorldEvent[] = [];
  if (before === undefined) events.push({ kind: 'live', session });
  else if (before.endedAt === undefined && endedAt !== undefined) {
    events.push({ kind: 'ended', session });
  }
  if (recordingStatus !== undefined && recordingStatus !== before?.recordingStatus) {
    events.push({ kind: 'settled', session, recordingStatus });
  }
  return events;
}

function eventsOfStream(records: Records, stream: StreamRecord): WorldEvent[] {
  const before = records.stream(stream.id);
  if (before === undefined) return [{ kind: 'created', stream }];
  if (stream.deletedAt !== undefined) return [{ kind: 'deleted', stream: before }];
  const events: WorldEvent[] = [];
  if (before.record !== stream.record) events.push({ kind: 'switched', stream, before });
  const fields = changedFields(before, stream);
  if (Object.keys(fields).length > 0) events.push({ kind: 'updated', stream, before, fields });
  return events;
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

/** What the timeline shows of an event that no session shows; `now` is when it happens. */
export function momentOf(event: WorldEvent, now: number): Moment | undefined {
  if (event.kind === 'clock') return event;
  if (event.kind !== 'switched') return undefined;
  const { id, record } = event.stream;
  return { kind: 'recording', at: now, streamId: id, record };
}

/** The stream that an event changes, as it was before. */
export function originalOf(event: WorldEvent): StreamRecord | undefined {
  if (event.kind === 'deleted') return event.stream;
  return 'before' in event ? event.before : undefined;
}

/** What an archive says about an event, if a tester made it; the clock of a service cannot be moved. */
export function actionOf(event: WorldEvent): TesterAction | undefined {
  switch (event.kind) {
    case 'created':
      return { kind: 'created', stream: archivedStream(event.stream) };
    case 'switched':
      return {
        kind: 'switched',
        streamId: event.stream.id,
        record: event.stream.record,
      };
    case 'updated':
      return { kind: 'updated', streamId: event.stream.id, fields: event.fields };
    case 'deleted':
      return { kind: 'deleted', streamId: event.stream.id };
    case 'live': {
      const { id, parentId, duration } = event.session;
      const live = { kind: 'live', streamId: parentId, sessionId: id } as const;
      return duration === undefined ? live : { ...live, duration };
    }
    case 'ended': {
      const { parentId, duration = 0 } = event.session;
      return { kind: 'ended', streamId: parentId, duration };
    }
    case 'settled':
      return {
        kind: 'settled',
        sessionId: event.session.id,
        recordingStatus: event.recordingStatus,
      };
    case 'clock':
      return undefined;
  }
}

/** A stream, as an archive describes it. */
export function archivedStream(stream: StreamRecord): ArchivedStream {
  const { id, playbackId, name, profiles, record } = stream;
  return { id, playbackId, name, profiles, record };
}
