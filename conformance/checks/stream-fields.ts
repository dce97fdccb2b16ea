import { setTimeout as sleep } from 'node:timers/promises';
import { expectDistinct, expectField } from '../target/expectations.ts';
import { Blocked, fail } from '../target/failure.ts';
import { isSuccess, type JsonObject } from '../target/read-response.ts';
import { readCreated } from '../target/stream-requests.ts';
import { type ListedRequirement, requirementsOf } from './requirement.ts';

const uuidLike = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const fourGroups = /^[^-\s]{4}(-[^-\s]{4}){3}$/;

/** The fields that no two streams share. */
type Identifier = 'id' | 'streamKey' | 'playbackId';

type Shape = readonly [expected: string, holds: (value: unknown) => boolean];

/** What the service sets: what is expected, and how it is recognized. */
const shapes: Readonly<Record<Identifier | 'createdAt', Shape>> = {
  id: ['a string that looks like a UUID', isText(uuidLike)],
  createdAt: ['an integer', Number.isInteger],
  streamKey: ['four groups of four characters', isText(fourGroups)],
  playbackId: ['a string that is not empty', isText(/./)],
};

function isText(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** Clocks may differ by minutes; a local time sent as UTC is off by at least half an hour. */
const clockTolerance = 20 * 60 * 1000;

/** The fields of a created stream that the service sets (interface 2.1). */
export const streamFieldRequirements = requirementsOf({ area: 'create', needs: ['writes'] }, [
  shows('id', {
    id: 'CREATE-5',
    clause: '2.1',
    statement: 'A stream has an id that looks like a UUID.',
    mutants: ['create-numbers-streams'],
  }),
  differs('id', {
    id: 'CREATE-6',
    statement: 'Two streams have different ids.',
    because: 'An id that two streams share identifies neither.',
    mutants: ['create-repeats-id', 'create-makes-ids-from-clock'],
  }),
  shows('createdAt', {
    id: 'CREATE-7',
    clause: '2.1',
    statement: 'createdAt is an integer.',
    mutants: ['create-dates-as-text', 'create-dates-with-fractions'],
  }),
  {
    id: 'CREATE-8',
    clause: '2.1',
    statement: 'createdAt is the time of creation in milliseconds since 1970.',
    mutants: ['create-dates-in-seconds', 'create-dates-in-local-time'],
    async check({ requestStream, now }) {
      const created = readCreated(await requestStream());
      const time = now();
      expectField(
        created,
        'createdAt',
        `a Unix timestamp in milliseconds within 20 minutes of ${time}`,
        (value) => isAround(value, time),
      );
    },
  },
  shows('streamKey', {
    id: 'CREATE-9',
    clause: '2.1',
    statement: 'streamKey is four groups of four characters separated by hyphens.',
    mutants: ['create-shortens-stream-key', 'create-joins-stream-key'],
  }),
  shows('playbackId', {
    id: 'CREATE-10',
    clause: '2.1, 4.1',
    statement: 'A stream has a playbackId.',
    mutants: ['create-omits-playback-id', 'create-empties-playback-id'],
  }),
  differs('streamKey', {
    id: 'CREATE-11',
    statement: 'Two streams have different stream keys.',
    because: 'Only the stream key tells the service which stream an encoder sends to.',
    mutants: ['create-repeats-stream-key', 'create-makes-stream-keys-from-clock'],
  }),
  differs('playbackId', {
    id: 'CREATE-12',
    statement: 'Two streams have different playback identifiers.',
    because: 'A public playback identifier that two streams share identifies neither.',
    mutants: ['create-repeats-playback-id', 'create-makes-playback-ids-from-clock'],
  }),
  {
    id: 'CREATE-15',
    clause: '2.1',
    statement: 'record, if a stream shows it, is a boolean.',
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
  {
    id: 'CREATE-19',
    clause: '2.1',
    statement: 'createdAt of two streams differs by about the time between their creations.',
    because: 'createdAt is the time of creation, so it advances as time does.',
    mutants: ['create-dates-all-alike', 'create-dates-backwards', 'create-dates-too-fast'],
    async check({ requestStream, now }) {
      const create = async () => {
        const begun = now();
        const created = readCreated(await requestStream());
        return { created, begun, done: now() };
      };
      const first = await create();
      if (!isAround(first.created['createdAt'], first.done)) {
        throw new Blocked('createdAt: expected the time of creation; see CREATE-8');
      }
      // The second pause is for services that count whole seconds, or adjust their clock meanwhile.
      for (const pause of [50, 1_100]) {
        await sleep(pause);
        const { created, begun, done } = await create();
        const apart = Number(created['createdAt']) - Number(first.created['createdAt']);
        const tolerance = pause / 1.1;
        const min = begun - first.done - tolerance;
        const max = done - first.begun + tolerance;
        if (apart >= min && apart <= max) return;
        if (pause < 1_000) continue;
        fail(
          `createdAt: expected streams created ${begun - first.begun} ms apart to differ by that, within a second, got a difference of ${apart}`,
          created,
          first.created,
        );
      }
    },
  },
  {
    id: 'CREATE-21',
    level: 'should',
    clause: '2.1',
    statement: 'playbackId differs from streamKey.',
    because: 'playbackId is public, and whoever knows the stream key can send media.',
    mutants: ['create-publishes-stream-key'],
    async check({ requestStream }) {
      const created = readCreated(await requestStream());
      if (readIdentifier(created, 'playbackId') === readIdentifier(created, 'streamKey')) {
        fail('playbackId: expected another value than streamKey, got the same', created);
      }
    },
  },
]);

/** A requirement that the interface states about a field of a stream. */
function shows(
  field: keyof typeof shapes,
  facts: Omit<ListedRequirement, 'check'>,
): ListedRequirement {
  return {
    ...facts,
    async check({ requestStream }) {
      expectField(readCreated(await requestStream()), field, ...shapes[field]);
    },
  };
}

/** A requirement that streams that are created at the same time have different identifiers. */
function differs(
  name: Identifier,
  facts: Omit<ListedRequirement, 'check' | 'clause'>,
): ListedRequirement {
  return {
    ...facts,
    clause: '2.1',
    async check({ streamsMadeAtOnce }) {
      // The interface leaves limits open (8): a target may refuse some of the requests.
      const created = (await streamsMadeAtOnce()).filter(isSuccess).map(readCreated);
      if (created.length < 2) {
        throw new Blocked('needs at least two streams created at the same time; see CREATE-1');
      }
      for (const stream of created) readIdentifier(stream, name);
      // Identifiers made from a clock alone are equal.
      expectDistinct(created, name, 'streams created at the same time');
    },
  };
}

function isAround(createdAt: unknown, time: number): boolean {
  return typeof createdAt === 'number' && Math.abs(createdAt - time) < clockTolerance;
}

/** An identifier of a stream in any form. @throws CheckFailure if it is missing, empty or not a string. */
export function readIdentifier(created: JsonObject, name: Identifier): string {
  const value = created[name];
  if (typeof value !== 'string' || value === '') expectField(created, name, ...shapes[name]);
  return String(value);
}
