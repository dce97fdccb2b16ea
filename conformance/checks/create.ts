import { recommendedProfiles } from '../../interface/ladder.ts';
import type { TargetResponse } from '../target/exchange.ts';
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
import { derived, type Requirement, stated } from './requirement.ts';

const common = { area: 'create', level: 'must', needs: ['writes'] } as const;

const usualName = 'Plain';
const unusualNames = [
  'Ünï “quoted” \\ back/slash',
  '港の配信 🚢👩‍🚀',
  '<b>&amp;</b>',
  ' two  spaces ',
];

const [first, second, third] = recommendedProfiles;
const usualProfiles = [[third], [first, second, third], [second, third, first]];
const unusualProfiles = [
  { name: 'odd sizes', bitrate: 1_234_567, fps: 25, width: 1922, height: 802 },
  { name: '音', bitrate: 64_001, fps: 1, width: 16, height: 16 },
  ...recommendedProfiles,
];

/** Creating a stream (interface 2.1, 2.2 and 4.1). */
export const createRequirements: readonly Requirement[] = [
  {
    ...common,
    id: 'CREATE-1',
    clause: '4.1',
    statement: 'Creating a stream answers with status 201.',
    basis: stated,
    mutants: ['create-answers-200'],
    async check({ call }) {
      const response = await call(post('/stream', { name: 'conformance' }));
      expectStatus(response, 201, operations.create);
    },
  },
  {
    ...common,
    id: 'CREATE-2',
    clause: '1, 4.1',
    statement: 'The response is a JSON object and says so in its content type.',
    basis: derived('The interface is HTTP/JSON and the body is the created stream object.'),
    mutants: ['create-answers-text', 'create-answers-array'],
    async check({ call }) {
      const response = await call(post('/stream', { name: 'conformance' }));
      readCreated(response);
      const type = response.headers.get('content-type') ?? '';
      if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) {
        fail(`content-type: expected application/json, got ${show(type)}`, response);
      }
    },
  },
  {
    ...common,
    id: 'CREATE-3',
    clause: '4.1',
    statement: 'The created stream has the submitted name, with all its characters.',
    basis: stated,
    mutants: [
      'create-trims-name',
      'create-collapses-spaces',
      'create-strips-emoji',
      'create-mangles-unicode',
      'create-escapes-name',
    ],
    async check(context) {
      const usual = { name: usualName };
      expectShown(await context.call(post('/stream', usual)), usual);
      for (const name of unusualNames) {
        const response = await context.call(post('/stream', { name }));
        expectShownOrRefused(context, response, { name });
      }
    },
  },
  {
    ...common,
    id: 'CREATE-4',
    clause: '4.1',
    statement: 'The created stream has all the submitted profiles, in their order.',
    basis: stated,
    mutants: [
      'create-sorts-profiles',
      'create-drops-a-profile',
      'create-rounds-bitrate',
      'create-omits-profiles',
    ],
    async check(context) {
      for (const profiles of usualProfiles) {
        const usual = { name: 'conformance', profiles };
        expectShown(await context.call(post('/stream', usual)), usual);
      }
      const unusual = { name: 'conformance', profiles: unusualProfiles };
      expectShownOrRefused(context, await context.call(post('/stream', unusual)), unusual);
    },
  },
  {
    ...common,
    id: 'CREATE-13',
    clause: '2.1',
    statement: 'A name alone is enough to create a stream.',
    basis: stated,
    mutants: ['create-demands-profiles'],
    async check({ call }) {
      readCreated(await call(post('/stream', { name: 'conformance' })));
    },
  },
  {
    ...common,
    id: 'CREATE-14',
    clause: '2.1, 4.1',
    statement: 'Creating a stream without a name is refused.',
    basis: derived('The name is a required parameter.'),
    mutants: ['create-invents-name', 'create-invents-name-for-profiles'],
    async check({ call, createStream }) {
      await createStream();
      await createStream({ name: 'conformance', profiles: recommendedProfiles });
      for (const body of [{}, { profiles: recommendedProfiles }]) {
        const response = await call(post('/stream', body));
        expectRefusal(response, `a body without name, ${show(body)},`);
      }
    },
  },
  {
    ...common,
    id: 'CREATE-16',
    clause: '2.2',
    statement: 'The recommended 720p, 480p and 360p renditions are accepted and shown.',
    basis: stated,
    mutants: ['create-refuses-ladder'],
    async check({ call }) {
      const body = { name: 'conformance', profiles: recommendedProfiles };
      const response = await call(post('/stream', body));
      expectEcho(readCreated(response), { profiles: recommendedProfiles }, 'body', response);
    },
  },
  {
    ...common,
    id: 'CREATE-17',
    level: 'should',
    clause: '2.1',
    statement: 'A name that is not a string is refused.',
    basis: derived('The type of name is string.'),
    mutants: ['create-accepts-numeric-name', 'create-accepts-null-name'],
    async check({ call, createStream }) {
      await createStream();
      for (const name of [7, null, ['a'], { a: 1 }, true]) {
        expectRefusal(await call(post('/stream', { name })), `the name ${show(name)}`);
      }
    },
  },
  {
    ...common,
    id: 'CREATE-18',
    level: 'should',
    clause: '2.1, 2.2',
    statement: 'Profiles of another shape are refused.',
    basis: derived('profiles is an array of profile objects.'),
    mutants: ['create-accepts-any-profiles'],
    async check({ call, createStream }) {
      await createStream();
      for (const profiles of ['720p', { name: '720p' }, [7], ['720p']]) {
        const response = await call(post('/stream', { name: 'conformance', profiles }));
        expectRefusal(response, `profiles ${show(profiles)}`);
      }
    },
  },
];

function expectShown(response: TargetResponse, submitted: JsonObject): void {
  expectEcho(readCreated(response), submitted, 'body', response);
}

/** Limits are left open (8): a target may refuse unusual values, but not change them. */
function expectShownOrRefused(
  { observe }: CheckContext,
  response: TargetResponse,
  submitted: JsonObject,
): void {
  const { status } = response;
  if (status < 400 || status > 499) expectShown(response, submitted);
  else observe(`${show(submitted)} is refused with status ${status}`);
}
