import { recommendedProfiles } from '../../interface/ladder.ts';
import {
  expectEcho,
  expectRefusal,
  expectStatus,
  fail,
  type JsonObject,
  show,
} from '../target/expectations.ts';
import { operations, post, readCreated } from '../target/operations.ts';
import type { CheckContext } from './check-context.ts';
import type { Requirement } from './requirement.ts';

const area = 'create';
const level = 'must';
const stated = { kind: 'stated' } as const;
const needs = ['writes'] as const;
const names = [
  'Plain',
  'Ünï “quoted” \\ back/slash',
  '港の配信 🚢👩‍🚀',
  '<b>&amp;</b>',
  ' two  spaces ',
];

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
      expectStatus(await call(post({ name: 'conformance' })), 201, operations.create);
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
      const response = await call(post({ name: 'conformance' }));
      readCreated(response);
      const type = response.headers.get('content-type') ?? '';
      if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) {
        fail(`content-type: expected application/json, got ${show(type)}`, response);
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
    mutants: [
      'create-trims-name',
      'create-collapses-spaces',
      'create-strips-emoji',
      'create-mangles-unicode',
      'create-escapes-name',
    ],
    async check(context) {
      for (const name of names) await expectShown(context, { name }, name === names[0]);
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
    mutants: [
      'create-sorts-profiles',
      'create-drops-a-profile',
      'create-rounds-bitrate',
      'create-omits-profiles',
    ],
    async check(context) {
      for (const profiles of profileSets) {
        const usual = profiles !== unusualProfiles;
        await expectShown(context, { name: 'conformance', profiles }, usual);
      }
    },
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
      readCreated(await call(post({ name: 'conformance' })));
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
    mutants: ['create-invents-name', 'create-invents-name-for-profiles'],
    async check({ call, createStream }) {
      await createStream();
      await createStream({ name: 'conformance', profiles: recommendedProfiles });
      for (const body of [{}, { profiles: recommendedProfiles }]) {
        expectRefusal(await call(post(body)), `a body without name, ${show(body)},`);
      }
    },
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
      const response = await call(post({ name: 'conformance', profiles: recommendedProfiles }));
      expectEcho(readCreated(response), { profiles: recommendedProfiles }, 'body', response);
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
    mutants: ['create-accepts-numeric-name', 'create-accepts-null-name'],
    async check({ call, createStream }) {
      await createStream();
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
    async check({ call, createStream }) {
      await createStream();
      for (const profiles of ['720p', { name: '720p' }, [7], ['720p']]) {
        const response = await call(post({ name: 'conformance', profiles }));
        expectRefusal(response, `profiles ${show(profiles)}`);
      }
    },
  },
];

const [first, second, third] = recommendedProfiles;

const unusualProfiles = [
  { name: 'odd sizes', bitrate: 1_234_567, fps: 25, width: 1922, height: 802 },
  { name: '音', bitrate: 64_001, fps: 1, width: 16, height: 16 },
  ...recommendedProfiles,
];
const profileSets = [[third], [first, second, third], [second, third, first], unusualProfiles];

/** Limits are not shown: what is not `usual` may be refused, but not changed. */
async function expectShown(
  context: CheckContext,
  submitted: JsonObject,
  usual: boolean,
): Promise<void> {
  const response = await context.call(post(submitted));
  if (!usual && response.status >= 400 && response.status <= 499) {
    context.observe(`${show(submitted)} is refused with status ${response.status}`);
  } else {
    expectEcho(readCreated(response), submitted, 'body', response);
  }
}
