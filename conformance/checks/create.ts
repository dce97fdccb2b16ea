import { recommendedProfiles } from '../../fixtures/profiles.ts';
import {
  expectEcho,
  expectField,
  expectRefusal,
  expectStatus,
  fail,
  readObject,
  show,
} from '../expectations.ts';
import type { Lab } from '../lab.ts';
import type { Requirement } from '../requirement.ts';
import type { Call } from '../target.ts';

const area = 'create';
const level = 'must';
const stated = { kind: 'stated' } as const;
const needs = ['writes'] as const;
const names = [
  'Plain',
  'Ünï “quoted” \\ back/slash',
  '港の配信 🚢👩‍🚀',
  '<b>&amp;</b>',
  ' spaces ',
];
const uuidLike = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const fourGroups = /^[^-\s]{4}(-[^-\s]{4}){3}$/;
const aDay = 24 * 3600 * 1000;

/** Creating a stream (interface 2.1, 2.2 and 4.1). */
export const createRequirements: readonly Requirement[] = [
  {
    id: 'CREATE-1',
    area,
    level,
    clause: '4.1',
    statement: 'Creating a stream answers with status 201.',
    basis: stated,
    needs,
    mutants: ['create-answers-200'],
    async check({ call }) {
      expectStatus(await call(post({ name: 'conformance' })), 201);
    },
  },
  {
    id: 'CREATE-2',
    area,
    level,
    clause: '1, 4.1',
    statement: 'The answer is a JSON object and says so in its content type.',
    basis: {
      kind: 'derived',
      because: 'The interface is HTTP/JSON and the body is the created stream object.',
    },
    needs,
    mutants: ['create-answers-text', 'create-answers-array'],
    async check({ call }) {
      const answer = await call(post({ name: 'conformance' }));
      readObject(answer);
      const type = answer.headers.get('content-type') ?? '';
      if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) {
        fail(`content-type: expected application/json, got ${show(type)}`);
      }
    },
  },
  {
    id: 'CREATE-3',
    area,
    level,
    clause: '4.1',
    statement: 'The created stream has the submitted name, whatever characters it is made of.',
    basis: stated,
    needs,
    mutants: ['create-trims-name', 'create-strips-emoji'],
    async check({ call }) {
      for (const name of names) {
        expectEcho(readObject(await call(post({ name }))), { name }, 'body');
      }
    },
  },
  {
    id: 'CREATE-4',
    area,
    level,
    clause: '4.1',
    statement: 'The created stream has the submitted profiles, all of them and in their order.',
    basis: stated,
    needs,
    mutants: ['create-sorts-profiles', 'create-drops-a-profile', 'create-rounds-bitrate'],
    async check({ call }) {
      for (const profiles of profileSets) {
        const body = readObject(await call(post({ name: 'conformance', profiles })));
        expectEcho(body, { profiles }, 'body');
      }
    },
  },
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
    mutants: ['create-dates-in-seconds'],
    check: (lab) => {
      const now = lab.now();
      return field(
        lab,
        'createdAt',
        `a Unix timestamp in milliseconds within a day of ${now}`,
        (value) => typeof value === 'number' && Math.abs(value - now) < aDay,
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
    mutants: ['create-shortens-stream-key'],
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
    mutants: ['create-omits-playback-id'],
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
    id: 'CREATE-13',
    area,
    level,
    clause: '2.1',
    statement: 'A name alone is enough to create a stream.',
    basis: stated,
    needs,
    mutants: ['create-demands-profiles'],
    async check({ call }) {
      expectStatus(await call(post({ name: 'conformance' })), 201);
    },
  },
  {
    id: 'CREATE-14',
    area,
    level,
    clause: '2.1, 4.1',
    statement: 'Creating a stream without a name is refused.',
    basis: { kind: 'derived', because: 'The name is a required parameter.' },
    needs,
    mutants: ['create-invents-name'],
    async check({ call }) {
      expectRefusal(await call(post({ profiles: [] })), 'a body without name');
    },
  },
  {
    id: 'CREATE-15',
    area,
    level,
    clause: '2.1',
    statement: 'record, where a stream shows it, is a boolean.',
    basis: stated,
    needs,
    mutants: ['create-shows-record-as-text'],
    check: (lab) =>
      field(
        lab,
        'record',
        'true, false or no such key',
        (value) => value === undefined || typeof value === 'boolean',
      ),
  },
  {
    id: 'CREATE-16',
    area,
    level,
    clause: '2.2',
    statement: 'The recommended 720p, 480p and 360p renditions are accepted and shown.',
    basis: stated,
    needs,
    mutants: ['create-refuses-ladder'],
    async check({ call }) {
      const answer = await call(post({ name: 'conformance', profiles: recommendedProfiles }));
      expectStatus(answer, 201);
      expectEcho(readObject(answer), { profiles: recommendedProfiles }, 'body');
    },
  },
  {
    id: 'CREATE-17',
    area,
    level: 'should',
    clause: '2.1',
    statement: 'A name that is not a string is refused.',
    basis: { kind: 'derived', because: 'The type of name is string.' },
    needs,
    mutants: ['create-accepts-numeric-name'],
    async check({ call }) {
      for (const name of [7, null, ['a'], { a: 1 }, true]) {
        expectRefusal(await call(post({ name })), `the name ${show(name)}`);
      }
    },
  },
  {
    id: 'CREATE-18',
    area,
    level: 'should',
    clause: '2.1, 2.2',
    statement: 'Profiles of another shape are refused.',
    basis: { kind: 'derived', because: 'profiles is an array of profile objects.' },
    needs,
    mutants: ['create-accepts-any-profiles'],
    async check({ call }) {
      for (const profiles of ['720p', { name: '720p' }, [7], ['720p']]) {
        const answer = await call(post({ name: 'conformance', profiles }));
        expectRefusal(answer, `profiles ${show(profiles)}`);
      }
    },
  },
];

const [first, second, third] = recommendedProfiles;

const profileSets = [
  [third],
  [first, second, third],
  [second, third, first],
  [
    { name: 'odd sizes', bitrate: 1_234_567, fps: 25, width: 1922, height: 802 },
    { name: '音', bitrate: 64_001, fps: 1, width: 16, height: 16 },
    ...recommendedProfiles,
  ],
];

function post(body: unknown): Call {
  return { method: 'POST', path: '/stream', body };
}

function isText(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

async function field(
  { call }: Lab,
  name: string,
  expected: string,
  holds: (value: unknown) => boolean,
): Promise<void> {
  expectField(readObject(await call(post({ name: 'conformance' }))), name, expected, holds);
}

async function different({ call }: Lab, name: string): Promise<void> {
  const seen = new Set<unknown>();
  for (let count = 0; count < 5; count++) {
    const value = readObject(await call(post({ name: 'conformance' })))[name];
    if (value === undefined) return fail(`${name}: expected one in every stream, got none`);
    if (seen.has(value)) fail(`${name}: expected another than before, got ${show(value)} again`);
    seen.add(value);
  }
}
