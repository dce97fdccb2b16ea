import { expectField, fail, show } from '../expectations.ts';
import type { Lab } from '../lab.ts';
import type { Requirement } from '../requirement.ts';
import { post, readCreated } from './creation.ts';

const area = 'create';
const level = 'must';
const stated = { kind: 'stated' } as const;
const needs = ['writes'] as const;
const uuidLike = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const fourGroups = /^[^-\s]{4}(-[^-\s]{4}){3}$/;
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
    check: (lab) => field(lab, 'id', 'a string that looks like a UUID', isText(uuidLike)),
  },
  {
    id: 'CREATE-6',
    area,
    level,
    clause: '2.1',
    statement: 'Two streams have different ids.',
    basis: { kind: 'derived', because: 'An id that two streams share identifies neither.' },
    needs,
    mutants: ['create-repeats-id'],
    check: (lab) => different(lab, 'id'),
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
    check: (lab) => field(lab, 'createdAt', 'an integer', Number.isInteger),
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
    check: (lab) => {
      const now = lab.now();
      return field(
        lab,
        'createdAt',
        `a Unix timestamp in milliseconds within 20 minutes of ${now}`,
        (value) => typeof value === 'number' && Math.abs(value - now) < clockTolerance,
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
    check: (lab) => field(lab, 'streamKey', 'four groups of four characters', isText(fourGroups)),
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
    check: (lab) => field(lab, 'playbackId', 'a string that is not empty', isText(/./)),
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
    mutants: ['create-repeats-stream-key'],
    check: (lab) => different(lab, 'streamKey'),
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
    mutants: ['create-repeats-playback-id'],
    check: (lab) => different(lab, 'playbackId'),
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

function isText(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

async function field(
  { call }: Lab,
  name: string,
  expected: string,
  holds: (value: unknown) => boolean,
): Promise<void> {
  expectField(readCreated(await call(post({ name: 'conformance' }))), name, expected, holds);
}

async function different({ call }: Lab, name: string): Promise<void> {
  const seen = new Set<unknown>();
  for (let count = 0; count < 5; count++) {
    const value = readCreated(await call(post({ name: 'conformance' })))[name];
    if (value === undefined) return fail(`${name}: expected one in every stream, got none`);
    if (seen.has(value)) fail(`${name}: expected another than before, got ${show(value)} again`);
    seen.add(value);
  }
}
