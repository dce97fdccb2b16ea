import { type Random, resumeRandom } from '../../fixtures/random.ts';
import type { StreamRecord } from '../../fixtures/world-records.ts';
import { isRefusal } from '../../interface/dialect/cells.ts';
import type { ErrorIdOf } from '../../interface/dialect/errors.ts';
import { fieldsWhileLive } from '../../interface/dialect/fields.ts';
import type { Cells } from '../../interface/dialect/matrix.ts';
import { defaultDialect, type ResolvedDialect } from '../../interface/dialect/resolve.ts';
import { isObject, type Json } from '../../interface/json.ts';
import type { NewStream, Profile } from '../../interface/types.ts';
import { createId, createIdOf, createKey, type IdForm } from '../state/ids.ts';
import { isSuspended } from '../state/state.ts';
import { commit } from './commit.ts';
import type { ReadFields } from './read-fields.ts';
import { acceptWhileLive, endedSession } from './sessions.ts';
import type { OpenWorld, Requester } from './world.ts';

/** The keys that only some records have. */
type Extras = Partial<Pick<StreamRecord, 'shown' | 'hidden' | 'further'>>;

/** What a new stream is made from. */
export interface StreamInput extends NewStream, Extras {}

/** Reads what a new stream is made from, from the fields of a body. */
function newStreamFrom(
  { fields, shown, hidden }: ReadFields,
  { behaviours }: ResolvedDialect,
): StreamInput {
  const { name = '', profiles: effective, record, ...furtherFields } = fields;
  const { profiles: shownProfiles, ...otherShownFields } = shown;
  const sentProfiles = effective as readonly Profile[] | undefined;
  const hasProfiles = (sentProfiles ?? []).length > 0 || (shownProfiles ?? null) !== null;
  const omission = sentProfiles === undefined ? 'omitted' : 'none';
  const profiles = hasProfiles
    ? (sentProfiles ?? [])
    : behaviours['profiles.default'][shownProfiles === null ? 'null' : omission];
  return {
    name: String(name),
    record: typeof record === 'boolean' ? record : behaviours['record.default'],
    further: furtherFrom(furtherFields),
    hidden: [
      ...hidden,
      ...('name' in fields ? [] : ['name']),
      ...(profiles === 'absent' ? ['profiles'] : []),
    ],
    profiles: typeof profiles === 'string' ? [] : profiles,
    shown: hasProfiles
      ? shown
      : { ...otherShownFields, ...(profiles === 'null' && { profiles: null }) },
  };
}

/** The {@link Extras} of a record that are not empty. */
function withoutEmpty({ shown = {}, hidden = [], further = {} }: Extras): Extras {
  return {
    ...(Object.keys(shown).length > 0 && { shown }),
    ...(hidden.length > 0 && { hidden }),
    ...(Object.keys(further).length > 0 && { further }),
  };
}

/** The further fields, as a stream shows them. A text as `creatorId` becomes the object that Livepeer's SDK expects. */
function furtherFrom(fields: Readonly<Record<string, Json>>): Record<string, Json> {
  // A number such as 1e400 becomes Infinity, which JSON does not have.
  const further = JSON.parse(JSON.stringify(fields));
  const { creatorId: value } = further;
  if (typeof value === 'string') further.creatorId = { type: 'unverified', value };
  return further;
}

/**
 * Gives an id to each multistream target that a client described inline, and drops the target's address: nothing
 * is sent there, and it usually contains a secret.
 */
function withTargetIds(further: Record<string, Json>, random: Random): Record<string, Json> {
  const multistream = further['multistream'] as { targets?: Json } | null | undefined;
  if (!Array.isArray(multistream?.targets)) return further;
  const targets = multistream.targets.map((target: Json): Json => {
    if (!isObject(target) || target['spec'] === undefined) return target;
    const { spec: _, ...targetWithoutSpec } = target;
    return { id: createId(random), ...targetWithoutSpec };
  });
  return { ...further, multistream: { ...multistream, targets } };
}

/** The stream after an update. Its `record` changes only if the dialect allows it. */
function updatedStream(before: StreamRecord, { fields, shown, hidden }: ReadFields): StreamRecord {
  const { shown: shownBefore = {}, hidden: hiddenBefore = [], further, ...stream } = before;
  const { name, profiles: effective, record, ...furtherFields } = fields;
  const profiles = effective as readonly Profile[] | undefined;
  const changedFields = new Set(Object.keys(fields));
  const unchangedShown = Object.entries(shownBefore).filter(([field]) => !changedFields.has(field));
  return {
    ...stream,
    ...(name !== undefined && { name: String(name) }),
    ...(profiles !== undefined && { profiles }),
    ...(typeof record === 'boolean' && { record }),
    ...withoutEmpty({
      shown: { ...Object.fromEntries(unchangedShown), ...shown },
      hidden: [...hiddenBefore.filter((field) => !changedFields.has(field)), ...hidden],
      further: { ...further, ...furtherFrom(furtherFields) },
    }),
  };
}

/** Builds a stream with new ids. `createdAt` is in milliseconds since 1970; an earlier time becomes 1970. */
export function buildStream(
  random: Random,
  createdAt: number,
  input: StreamInput,
  idForm: IdForm = 'uuid',
): StreamRecord {
  const id = createIdOf(idForm, random);
  const { shown = {}, hidden = [], further = {} } = input;
  return {
    id,
    name: input.name,
    createdAt: Math.max(0, createdAt),
    profiles: input.profiles ?? [],
    streamKey: createKey(random, id, '-'),
    playbackId: createKey(random, id, ''),
    record: input.record ?? false,
    ...withoutEmpty({ shown, hidden, further: withTargetIds(further, random) }),
  };
}

/**
 * Creates a parent stream (interface 4.1).
 * @throws Problem 429 if the mock is full.
 */
export function createStream(requester: Requester, input: ReadFields): StreamRecord {
  const random = resumeRandom(requester.world.state.random);
  const stream = newStream(requester, random, input);
  commit(requester, { streams: [stream], random: random.state() });
  return stream;
}

/**
 * Creates parent streams in one change: all of them or none.
 * @throws Problem 429 if the mock is full.
 */
export function createStreams(requester: Requester, inputs: readonly ReadFields[]): StreamRecord[] {
  const random = resumeRandom(requester.world.state.random);
  const streams = inputs.map((input) => newStream(requester, random, input));
  commit(requester, { streams, random: random.state() });
  return streams;
}

/** A stream that begins now, from the fields of a body. */
function newStream({ world, dialect }: Requester, random: Random, input: ReadFields): StreamRecord {
  const { stream: idForm } = world.settings.idForms;
  return buildStream(random, world.clock.now(), newStreamFrom(input, dialect), idForm);
}

/** A stream whose recording is switched on or off. */
export interface Switch {
  readonly stream: StreamRecord;
  readonly record: boolean;
}

/**
 * Switches recording of future sessions on or off (interface 4.2), for all streams in one change. Existing sessions keep
 * their value. Clients see the values in `shown` instead.
 */
export function switchRecording(
  requester: Requester,
  switches: readonly Switch[],
  shown: ReadFields['shown'] = {},
): void {
  const streams = switches.map(({ stream: { shown: shownBefore, ...stream }, record }) => {
    const { record: _, ...otherShownFields } = shownBefore ?? {};
    return { ...stream, record, ...withoutEmpty({ shown: { ...otherShownFields, ...shown } }) };
  });
  commit(requester, { streams });
}

/**
 * Accepts or refuses to switch the recording of a stream that is live.
 * @throws Problem 400 if it is refused.
 */
export function acceptSwitch(
  world: OpenWorld,
  cells: Cells,
  stream: StreamRecord,
  record: unknown,
): void {
  const error = record === stream.record ? 'state:live-same' : 'state:live';
  acceptWhileLive(world, cells, error, stream.id, 'record');
}

/**
 * Updates a parent stream and returns it. Future sessions inherit its profiles. Suspending a live stream ends its
 * session.
 */
export function updateStream(
  requester: Requester,
  before: StreamRecord,
  update: ReadFields,
): StreamRecord {
  const { world } = requester;
  const updated = updatedStream(before, update);
  const random = resumeRandom(world.state.random);
  const { further } = updated;
  const stream = further ? { ...updated, further: withTargetIds(further, random) } : updated;
  const live = isSuspended(stream) ? world.state.records.liveSession(stream.id) : undefined;
  const sessions = live === undefined ? [] : [endedSession(world, live)];
  commit(requester, { streams: [stream], sessions, random: random.state() });
  return stream;
}

/**
 * Accepts or refuses an update of a stream that is live, by each field that it sets.
 * @throws Problem 400 if it is refused.
 */
export function acceptUpdate(
  { world, dialect }: Pick<Requester, 'world' | 'dialect'>,
  stream: StreamRecord,
  update: Readonly<Record<string, unknown>>,
): void {
  const { updateStream: cells, setRecord } = dialect.cells;
  const accept = (error: ErrorIdOf<'state'>, field: string): void =>
    acceptWhileLive(world, cells, error, stream.id, field);
  if (update['profiles'] !== undefined) accept('state:live', 'profiles');
  for (const field of fieldsWhileLive) {
    const value = update[field];
    // As where recording is switched, the value that it has may be set.
    const isSame = field === 'record' && value === stream.record;
    const isChange = !isSame || isRefusal(setRecord['state:live-same']);
    if (value !== undefined && isChange) accept(`state:live:${field}`, field);
  }
}

/**
 * Accepts or refuses to delete a stream that is live.
 * @throws Problem 400 if it is refused.
 */
export function acceptDeletion(world: OpenWorld, cells: Cells, { id }: StreamRecord): void {
  acceptWhileLive(world, cells, 'state:live', id, 'delete');
}

/**
 * Deletes parent streams in one change, and their sessions unless the mock's dialect keeps them. What is left depends on
 * that dialect alone, whoever deletes: with one, the ids stay known.
 */
export function deleteStreams(requester: Requester, streams: readonly StreamRecord[]): void {
  const { world } = requester;
  const { dialect } = world.settings;
  const deletedAt = world.clock.now();
  const known =
    dialect === defaultDialect ? [] : streams.map((stream) => ({ ...stream, deletedAt }));
  if (dialect.behaviours['delete.leaves'] === 'nothing') {
    commit(requester, { deleted: streams.map(({ id }) => id), streams: known });
    return;
  }
  const sessions = streams.flatMap(({ id }) => {
    const live = world.state.records.liveSession(id);
    return live === undefined ? [] : [endedSession(world, live)];
  });
  commit(requester, { streams: known, sessions });
}
