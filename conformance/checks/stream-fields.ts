import { setTimeout as sleep } from 'node:timers/promises';
import { expectDistinct, expectField } from '../../target/requests/expectations.ts';
import { Blocked, expectOfEach, fail, unlessPrevented } from '../../target/requests/failure.ts';
import { isSuccess, type JsonObject } from '../../target/requests/read-response.ts';
import { readCreated } from '../../target/streams/stream-requests.ts';
import { type ListedRequirement, requirementsOf } from './requirement.ts';
import { type Identifier, streamShapes } from './shown-fields.ts';

/** Clocks may differ by minutes; a local time sent as UTC is off by at least half an hour. */
export const clockTolerance = 20 * 60 * 1000;

/** The fields of a created stream that the service sets (interface 2.1). */
export const streamFieldRequirements = requirementsOf('create', ['writes'], {
  'CREATE-5': shows('id', {
    statement: 'A stream has an id that looks like a UUID.',
  }),
  'CREATE-6': differs('id', {
    statement: 'Two streams have different ids.',
    because: 'An id that two streams share identifies neither.',
  }),
  'CREATE-7': shows('createdAt', {
    statement: 'createdAt is an integer.',
  }),
  'CREATE-8': {
    clause: '2.1',
    statement: 'createdAt is the time of creation in milliseconds since 1970.',
    async check({ requestStream, now }) {
      const created = readCreated(await requestStream());
      const time = now();
      const expected = `a Unix timestamp in milliseconds within 20 minutes of ${time}`;
      expectField(created, 'createdAt', expected, (value) => isAround(value, time));
    },
  },
  'CREATE-9': shows('streamKey', {
    statement: 'streamKey is four groups of four characters separated by hyphens.',
  }),
  'CREATE-10': shows('playbackId', {
    clause: '2.1, 4.1',
    statement: 'A stream has a playbackId.',
  }),
  'CREATE-11': differs('streamKey', {
    statement: 'Two streams have different stream keys.',
    because: 'Only the stream key tells the service which stream an encoder sends to.',
  }),
  'CREATE-12': differs('playbackId', {
    statement: 'Two streams have different playback identifiers.',
    because: 'A public playback identifier that two streams share identifies neither.',
  }),
  'CREATE-15': {
    clause: '2.1',
    statement: 'record, if a stream shows it, is a boolean.',
    async check({ createStream }) {
      expectField((await createStream()).fields, 'record', ...streamShapes.record);
    },
  },
  'CREATE-19': {
    clause: '2.1',
    statement: 'createdAt of two streams differs by about the time between their creations.',
    because: 'createdAt is the time of creation, so it advances as time does.',
    async check({ requestStream, now }) {
      const create = async () => {
        const sentAt = now();
        const created = readCreated(await requestStream());
        return { created, sentAt, receivedAt: now() };
      };
      const first = await create();
      if (!isAround(first.created['createdAt'], first.receivedAt)) {
        throw new Blocked('createdAt: expected the time of creation; see CREATE-8');
      }
      // The second pause is for services that count whole seconds, or adjust their clock meanwhile.
      for (const pause of [50, 1_100]) {
        await sleep(pause);
        const { created, sentAt, receivedAt } = await create();
        const apart = Number(created['createdAt']) - Number(first.created['createdAt']);
        const tolerance = pause / 1.1;
        const min = sentAt - first.receivedAt - tolerance;
        const max = receivedAt - first.sentAt + tolerance;
        if (apart >= min && apart <= max) return;
        if (pause < 1_000) continue;
        fail(
          `createdAt: expected streams created ${sentAt - first.sentAt} ms apart to differ by that, within a second, got a difference of ${apart}`,
          created,
          first.created,
        );
      }
    },
  },
  'CREATE-21': {
    level: 'should',
    clause: '2.1',
    statement: 'playbackId differs from streamKey.',
    because: 'playbackId is public, and whoever knows the stream key can send media.',
    async check({ requestStream }) {
      const created = readCreated(await requestStream());
      if (readIdentifier(created, 'playbackId') === readIdentifier(created, 'streamKey')) {
        fail('playbackId: expected another value than streamKey, got the same', created);
      }
    },
  },
});

type Facts = Pick<ListedRequirement, 'statement'> & Partial<ListedRequirement>;

/** A requirement that the interface states about a field of a stream. */
function shows(field: keyof typeof streamShapes, facts: Facts): ListedRequirement {
  return {
    clause: '2.1',
    ...facts,
    async check({ requestStream, simultaneousCreations }) {
      const expectShape = (stream: JsonObject): void =>
        expectField(stream, field, ...streamShapes[field]);
      expectShape(readCreated(await requestStream()));
      // An identifier may be too short now and then, if a random number begins with zeros.
      const more = (await unlessPrevented(simultaneousCreations())) ?? [];
      await expectOfEach(more.filter(isSuccess).map(readCreated), expectShape);
    },
  };
}

/** A requirement that streams that are created at the same time have different identifiers. */
function differs(name: Identifier, facts: Facts): ListedRequirement {
  return {
    clause: '2.1',
    ...facts,
    async check({ simultaneousCreations }) {
      // The interface leaves limits open (8): a target may refuse some of the requests.
      const created = (await simultaneousCreations()).filter(isSuccess).map(readCreated);
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
  if (typeof value !== 'string' || value === '') expectField(created, name, ...streamShapes[name]);
  return String(value);
}
