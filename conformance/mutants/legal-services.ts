import type { Dialect } from '../../interface/dialect/dialect.ts';
import { statedOperationNames } from '../../interface/operation-names.ts';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { Session, Stream } from '../../interface/types.ts';
import type { Fault } from '../../mocks/faults/fault.ts';
import type { Rewrite } from '../../mocks/messages/client-request.ts';
import type { World } from '../../mocks/service/testers/world-handle.ts';
import {
  type VariantName,
  type VariantText,
  variantFamilies,
  variantNames,
} from '../../mocks/variants/families.ts';
import {
  on,
  refuse,
  rewriteJson,
  rewriteList,
  rewriteResponse,
  rewriteSessions,
  type Step,
  sendAs,
  together,
} from '../../mocks/variants/rewrite.ts';
import { groupTrials } from '../clients/grouping.ts';
import { readYesAndNo, switchByField } from './record.ts';

/** What the suite has to know of a legal service. */
interface Expectations {
  /** Milliseconds until a recording is ready, unless the service says so itself; default 0. */
  readonly recordingDelay?: number;
  /** Prepares the world. It returns the id of a stream with recorded sessions, so that the suite does not go live itself. */
  readonly prepare?: (world: World) => Promise<string>;
  /** Whether a run of the suite waits for more than half a minute. */
  readonly isSlow?: true;
  /** What it does even to requests for the control API, which a variant never touches. */
  readonly rewrite?: Rewrite;
  /** Requirements that must end as blocked, so that the verdict is incomplete. */
  readonly open?: readonly string[];
  /** Requirements at the level `should` that it does not satisfy. */
  readonly misses?: readonly string[];
}

/** A service that conforms to the interface, and that the suite must accept. */
export interface LegalService extends Expectations {
  readonly variant?: VariantText | undefined;
  readonly dialect?: Omit<Dialect, 'dialect'>;
  readonly faults?: Fault[];
}

/** Services by a name that says how each differs. */
export type LegalServices = Readonly<Record<string, LegalService>>;

/** A stream with three recorded sessions. */
async function recordThree(world: World): Promise<string> {
  const { id } = await world.createStream({ name: 'given', profiles: recommendedProfiles });
  await world.setRecord(id, true);
  for (const length of [4, 8, 12]) await world.start(id, { duration: length });
  return id;
}

/** Milliseconds until a late recording is ready. */
const delay = 100;

/** What the suite expects of variants that are not like the others. */
const expectations: Readonly<Partial<Record<VariantName, Expectations>>> = {
  'oldest-first': { prepare: recordThree },
  'pages-of-one': { prepare: recordThree },
  'listed-when-ready': { recordingDelay: delay },
  'recording-takes-30s': { isSlow: true },
  'processing-first': { recordingDelay: delay },
  'statusless-first': { recordingDelay: delay },
  'unheard-of-statuses': { recordingDelay: delay },
  'addressed-first': { recordingDelay: delay },
  // The clock of the control API is that of the service.
  'clock-ahead': { rewrite: startAt((time) => time + 7 * 60_000) },
  'clock-in-seconds': { rewrite: startAt((time) => time - (time % 1_000)) },
  'too-many-requests-seconds': { isSlow: true },
  'too-many-requests-date': { isSlow: true },
  slow: { isSlow: true },
  'booleans-lenient': { misses: ['RECORD-21'] },
  'limits-narrow': { misses: ['CREATE-24'] },
  'duration-shorter': { misses: ['MEDIA-15'] },
  'duration-longer': { misses: ['MEDIA-15'] },
};

/** Legal services that no app meets: they differ in what the suite alone asks for, or in the control API. */
const servicesForSuite: LegalServices = {
  unchanged: {},
  'waiting-first': { recordingDelay: delay },
  'processing-beside-ready': {
    dialect: {
      behaviours: { 'time.ready': 300_000, 'sessions.status': { beforeReady: 'processing' } },
    },
    async prepare(world) {
      const id = await recordThree(world);
      world.clock.advance(300_000);
      await world.start(id, { duration: 4 });
      return id;
    },
  },
  // How a retrieved stream shows the documented fields.
  'stream-masked-when-retrieved': {
    rewrite: rewriteJson<Stream>('retrieve', (stream) => {
      const createdAt = Math.floor(stream.createdAt / 1000);
      return { ...stream, streamKey: `masked-${crypto.randomUUID()}`, createdAt };
    }),
  },
  // Letter case does not count in UUIDs.
  'ids-in-any-case': {
    rewrite: on('record', ({ id, body, ask }) =>
      id === id.toLowerCase() ? undefined : ask('PATCH', `../${id.toLowerCase()}/record`, body),
    ),
  },
  'playback-id-means-stream': {
    rewrite: switchByField('playbackId'),
    misses: ['RECORD-26'],
  },
  'record-reads-yes-and-no': { rewrite: readYesAndNo(), misses: ['RECORD-21'] },
  // The body of a creation is described without record.
  'create-refuses-record': {
    rewrite: on('create', ({ body }) =>
      'record' in body ? refuse(422, 'record: expected no such field') : undefined,
    ),
  },
  'create-answers-without-type': {
    rewrite: sendAs('create', { type: '' }),
    misses: ['CREATE-26'],
  },
  // An array orders as many streams as it has elements.
  'empty-array-creates-none': {
    rewrite: on('create', ({ json }) =>
      Array.isArray(json) && json.length === 0 ? Response.json([], { status: 201 }) : undefined,
    ),
  },
  // Whether two profiles may have the same name: the mock refuses them.
  'profile-names-are-shared': {
    dialect: { errors: { createStream: { 'field:profiles': { equal: 'kept' } } } },
  },
  // Whether two streams may have the same name.
  'names-are-unique': {
    rewrite: on('create', async ({ body, read }) => {
      const streams = (await read<Stream[]>('stream')) ?? [];
      const isTaken = streams.some(({ name }) => name === body['name']);
      return isTaken ? refuse(409, 'name: expected another one, as a stream has it') : undefined;
    }),
  },
  // Whether recording can be switched while a recording is not ready.
  'switch-waits-for-recordings': {
    recordingDelay: delay,
    rewrite: on('record', async ({ read }) => {
      const sessions = (await read<Session[]>('sessions?record=1')) ?? [];
      const isProcessing = sessions.some(({ recordingStatus }) => recordingStatus !== 'ready');
      return isProcessing ? refuse(409, 'record: a recording is not ready') : undefined;
    }),
  },
  // Recording is switched while live, and no stream shows it.
  'live-switch-unseen': { variant: 'live-switch-accepted+optional-operations-404' },
  // Whether a stream can go live while a recording is not ready.
  'start-waits-for-recordings': {
    recordingDelay: delay,
    rewrite: on('start', async (step) =>
      (await findUnready(step)) === undefined ? undefined : refuse(409, 'a recording is not ready'),
    ),
  },
  'start-continues-session': {
    recordingDelay: delay,
    rewrite: on('start', async (step) => {
      const session = await findUnready(step);
      return session && Response.json(session, { status: 201 });
    }),
  },
  // Nor is a session shown that goes on with the one before it.
  'start-continues-session-unshown': {
    recordingDelay: delay,
    rewrite: on('start', async (step) =>
      (await findUnready(step)) === undefined ? undefined : Response.json({}, { status: 201 }),
    ),
  },
  // How many recordings are made at the same time.
  'recordings-made-one-by-one': { recordingDelay: delay, rewrite: makeOneByOne() },
  // Whether a stream that is created with record shows it, and what the default depends on.
  'create-shows-no-record': {
    rewrite: rewriteJson<Stream>('create', ({ record: _, ...stream }) => stream),
  },
  'record-default-follows-profiles': {
    rewrite: on('create', ({ request, body, ask }) =>
      'record' in body || !Array.isArray(body['profiles'])
        ? undefined
        : ask('POST', request.url, { ...body, record: true }),
    ),
  },
  // How exactly createdAt is known before a recording is ready.
  'dates-exact-once-ready': {
    recordingDelay: delay,
    rewrite: rewriteSessions('createdAt', (time, { recordingStatus }) =>
      recordingStatus === 'ready' ? time : time - (time % 1_000),
    ),
  },
  // How long after its encoder a session ends.
  'end-lags': { rewrite: endLate() },
  // What the control API shows, as it is not part of the interface.
  'start-shows-nothing': { rewrite: rewriteJson('start', () => ({})) },
  'start-shows-other-ids': {
    rewrite: rewriteJson<Session>('start', (session) => ({ ...session, id: crypto.randomUUID() })),
  },
  // The interface names no unit.
  'duration-in-milliseconds': {
    rewrite: rewriteSessions('sourceSegmentsDuration', (seconds) => seconds * 1000),
    misses: ['MEDIA-12'],
  },
  // In a dialect, pages are short only if a Link leads to the next.
  'pages-by-cursor': {
    dialect: { behaviours: { 'list.page-size': { listSessionsOfStream: 2 } } },
    rewrite: rewriteResponse('list', nameNextPage),
    open: ['LIST-17'],
  },
  'limits-requests': { isSlow: true, faults: statedOperationNames.map(tooMany) },
};

/** Every legal service. */
export const legalServices: LegalServices = {
  ...servicesForSuite,
  ...Object.fromEntries(
    variantNames.map((variant) => [variant, { variant, ...expectations[variant] }]),
  ),
};

/**
 * Fewer services that do the same in less time: each is like as many variants as do not contradict each other, unless the
 * suite has to know something of them. Those for which the suite has to wait are missing.
 */
export function quickServices(): LegalServices {
  const combined = variantNames
    .filter((name) => expectations[name] === undefined)
    .map((name) => ({ name, families: variantFamilies[name] }));
  const groups = groupTrials(combined, () => false).map(
    (group) => group.map(({ name }) => name).join('+') as VariantText,
  );
  const alone = Object.entries(legalServices).filter(
    ([name, { isSlow }]) => !isSlow && !combined.some((variant) => variant.name === name),
  );
  return Object.fromEntries([
    ...alone,
    ...groups.map((variant) => [variant, { variant }] as const),
  ]);
}

/** The recorded session of a stream that goes live whose recording is not ready. */
async function findUnready({ id, read }: Step): Promise<Session | undefined> {
  const sessions = (await read<Session[]>(`/api/stream/${id}/sessions?record=1`)) ?? [];
  return sessions.find(({ recordingStatus }) => recordingStatus !== 'ready');
}

/** Makes one recording at a time: each takes as long as the first, and begins when the one before it is ready. */
function makeOneByOne(): Rewrite {
  return (next) => {
    const readyAt = new Map<string, number>();
    let isFreeAt = 0;
    const show = (session: Session): Session => {
      if (session.recordingStatus !== 'ready') return session;
      if (!readyAt.has(session.id)) {
        isFreeAt = Math.max(Date.now(), isFreeAt + delay);
        readyAt.set(session.id, isFreeAt);
      }
      const isReady = Date.now() >= (readyAt.get(session.id) ?? 0);
      const { recordingUrl: _, mp4Url: __, mp4URL: ___, ...unready } = session;
      return isReady ? session : { ...unready, recordingStatus: 'waiting' };
    };
    // The oldest waits least.
    return rewriteList((sessions) => sessions.toReversed().map(show).toReversed())(next);
  };
}

/** Changes when a session began, in what the control API shows. */
function startAt(change: (time: number) => number): Rewrite {
  return rewriteJson<Session>('start', (session) => {
    return { ...session, createdAt: change(session.createdAt) };
  });
}

/** Asks the client to wait now and then. */
function tooMany(operation: (typeof statedOperationNames)[number]): Fault {
  return { effect: 'status', status: 429, retryAfter: 0, probability: 0.05, operation };
}

/** A stream stays live for 300 ms after the control API has ended its session. */
function endLate(): Rewrite {
  return (next) => {
    const ends = new Map<string, number>();
    return together(
      on('record', ({ id }) =>
        Date.now() < (ends.get(id) ?? 0) ? refuse(409, 'record: the stream is live') : undefined,
      ),
      rewriteResponse('start or stop', ({ ok }, { id }) => {
        if (ok) ends.set(id, Date.now() + 300);
        return undefined;
      }),
    )(next);
  };
}

/** Names the next page in a header that the interface does not know, instead of a Link. */
function nameNextPage({ body, status, headers }: Response): Response {
  const renamedHeaders = new Headers(headers);
  renamedHeaders.delete('link');
  if (headers.has('link')) renamedHeaders.set('x-continuation', 'more');
  return new Response(body, { status, headers: renamedHeaders });
}
