import { expectField, fail, isSuccess, type JsonObject, show } from '../target/expectations.ts';
import { Blocked } from '../target/failure.ts';
import { post, readCreated } from '../target/operations.ts';
import type { CheckContext } from './check-context.ts';
import type { Requirement } from './requirement.ts';

const area = 'create';
const level = 'must';
const stated = { kind: 'stated' } as const;
const needs = ['writes'] as const;

interface Shape {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const uuidLike = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const fourGroups = /^[^-\s]{4}(-[^-\s]{4}){3}$/;
const isText =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && pattern.test(value);

/** What the fields are that the service makes up. */
const shapes = {
  id: { expected: 'a string that looks like a UUID', holds: isText(uuidLike) },
  streamKey: { expected: 'four groups of four characters', holds: isText(fourGroups) },
  playbackId: { expected: 'a string that is not empty', holds: isText(/./) },
} as const satisfies Record<string, Shape>;

/** Clocks differ by minutes; a local time taken for UTC is off by half an hour at least. */
const clockTolerance = 20 * 60 * 1000;

/** What a created stream shows beside what was submitted (interface 2.1). */
export const streamFieldRequirements: readonly Requirement[] = [
  {
    id: 'CREATE-5',
    area,
    level,
    clause: '2.1',
    statement: 'A stream has an id that looks like a UUID.',
    basis: stated,
    needs,
    mutants: ['create-numbers-streams'],
    check: (context) => expectShape(context, 'id'),
  },
  {
    id: 'CREATE-6',
    area,
    level,
    clause: '2.1',
    statement: 'Two streams have different ids.',
    basis: { kind: 'derived', because: 'An id that two streams share identifies neither.' },
    needs,
    mutants: ['create-repeats-id', 'create-makes-ids-from-clock'],
    check: (context) => expectDifferent(context, 'id'),
  },
  {
    id: 'CREATE-7',
    area,
    level,
    clause: '2.1',
    statement: 'createdAt is an integer.',
    basis: stated,
    needs,
    mutants: ['create-dates-as-text', 'create-dates-with-fractions'],
    async check({ call }) {
      const created = readCreated(await call(post({ name: 'conformance' })));
      expectNumber(created);
      expectField(created, 'createdAt', 'an integer', Number.isInteger);
    },
  },
  {
    id: 'CREATE-8',
    area,
    level,
    clause: '2.1',
    statement: 'createdAt is the time of creation in milliseconds since 1970.',
    basis: stated,
    needs,
    mutants: ['create-dates-in-seconds', 'create-dates-in-local-time'],
    async check({ call, now }) {
      const created = readCreated(await call(post({ name: 'conformance' })));
      const time = now();
      expectNumber(created);
      expectField(
        created,
        'createdAt',
        `a Unix timestamp in milliseconds within 20 minutes of ${time}`,
        (value) => Math.abs(Number(value) - time) < clockTolerance,
      );
    },
  },
  {
    id: 'CREATE-9',
    area,
    level,
    clause: '2.1',
    statement: 'streamKey is four groups of four characters separated by hyphens.',
    basis: stated,
    needs,
    mutants: ['create-shortens-stream-key', 'create-joins-stream-key'],
    check: (context) => expectShape(context, 'streamKey'),
  },
  {
    id: 'CREATE-10',
    area,
    level,
    clause: '2.1, 4.1',
    statement: 'A stream has a playbackId.',
    basis: stated,
    needs,
    mutants: ['create-omits-playback-id', 'create-empties-playback-id'],
    check: (context) => expectShape(context, 'playbackId'),
  },
  {
    id: 'CREATE-11',
    area,
    level,
    clause: '2.1',
    statement: 'Two streams have different stream keys.',
    basis: {
      kind: 'derived',
      because: 'The ingest key alone tells the service which stream an encoder sends to.',
    },
    needs,
    mutants: ['create-repeats-stream-key', 'create-makes-stream-keys-from-clock'],
    check: (context) => expectDifferent(context, 'streamKey'),
  },
  {
    id: 'CREATE-12',
    area,
    level,
    clause: '2.1',
    statement: 'Two streams have different playback identifiers.',
    basis: {
      kind: 'derived',
      because: 'A public playback identifier that two streams share plays neither for certain.',
    },
    needs,
    mutants: ['create-repeats-playback-id', 'create-makes-playback-ids-from-clock'],
    check: (context) => expectDifferent(context, 'playbackId'),
  },
  {
    id: 'CREATE-15',
    area,
    level,
    clause: '2.1',
    statement: 'record, where a stream shows it, is a boolean.',
    basis: stated,
    needs,
    mutants: ['create-shows-record-as-text', 'create-shows-record-as-number'],
    async check({ createStream }) {
      const { shown } = await createStream();
      expectField(
        shown,
        'record',
        'true, false or no such key',
        (value) => value === undefined || typeof value === 'boolean',
      );
    },
  },
];

/** What a date is as text differs from one stream to the next. */
function expectNumber(created: JsonObject): void {
  if (typeof created['createdAt'] === 'string') {
    fail('createdAt: expected an integer, got a string', created);
  }
  expectField(created, 'createdAt', 'an integer', (value) => typeof value === 'number');
}

async function expectShape({ call }: CheckContext, name: keyof typeof shapes): Promise<void> {
  expectShaped(readCreated(await call(post({ name: 'conformance' }))), name);
}

function expectShaped(created: JsonObject, name: keyof typeof shapes): void {
  expectField(created, name, shapes[name].expected, shapes[name].holds);
}

/** Streams that are created at once: what is made from a clock alone is then the same. */
async function expectDifferent(
  context: CheckContext,
  name: 'id' | 'streamKey' | 'playbackId',
): Promise<void> {
  const seen = new Map<unknown, JsonObject>();
  // Limits are not shown: a target may refuse some of many requests.
  const created = (await context.streamsMadeAtOnce()).filter(isSuccess).map(readCreated);
  if (created.length < 2) {
    throw new Blocked('several streams that are created at once; see CREATE-1');
  }
  for (const stream of created) {
    const value = stream[name];
    // What is missing, or no text, is no identifier that could differ.
    if (typeof value !== 'string' || value === '') expectShaped(stream, name);
    const earlier = seen.get(value);
    if (earlier !== undefined) {
      fail(
        `${name}: expected another in each of several streams that are created at once, got ${show(value)} again`,
        stream,
        earlier,
      );
    }
    seen.set(value, stream);
  }
}
