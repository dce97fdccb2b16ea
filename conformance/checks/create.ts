import { randomUUID } from 'node:crypto';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { unusualNames, unusualProfiles } from '../../interface/unusual-inputs.ts';
import type { TargetCall } from '../../target/requests/call.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { expectAllRefused, expectEcho, expectStatus } from '../../target/requests/expectations.ts';
import {
  asPrecondition,
  expectOfEach,
  fail,
  unlessPrevented,
} from '../../target/requests/failure.ts';
import { isRefused, type JsonObject, readId } from '../../target/requests/read-response.ts';
import { get, post, readCreated, statedOperations } from '../../target/streams/stream-requests.ts';
import { show } from '../../text/phrases.ts';
import type { CheckContext } from './check-context.ts';
import { requirementsOf } from './requirement.ts';
import { kindsOfText, samplesExcept } from './wrong-values.ts';

const [first, second, third] = recommendedProfiles;
const recommendedSelections = [[third], [first, second, third], [second, third, first]];
const furtherProfiles = [{ name: '540p', bitrate: 1_500_000, fps: 30, width: 960, height: 540 }];

/** Creations that a target should refuse, by the words for them, each with a mark by which its stream could be found. */
const refusedCreations: Readonly<Record<string, (mark: string) => TargetCall>> = {
  'creation without a name': (mark) => post('/stream', { profiles: [{ ...third, name: mark }] }),
  'creation with a text as profiles': (mark) => post('/stream', { name: mark, profiles: mark }),
  'creation without a key': (mark) => ({ ...post('/stream', { name: mark }), credential: 'none' }),
};

/** Creating a stream (interface 2.1, 2.2 and 4.1). */
export const createRequirements = requirementsOf('create', ['writes'], {
  'CREATE-1': {
    clause: '4.1',
    statement: 'Creating a stream returns status 201.',
    async check({ requestStream }) {
      const response = await requestStream();
      expectStatus(response, 201, statedOperations.create);
    },
  },
  'CREATE-2': {
    clause: '1, 4.1',
    statement: 'The response is a JSON object.',
    because: 'The interface is HTTP/JSON and the body is the created stream object.',
    async check({ requestStream }) {
      readCreated(await requestStream());
    },
  },
  'CREATE-3': {
    clause: '4.1',
    statement: 'The created stream has the submitted name, with all its characters.',
    async check(context) {
      await expectKept(context, { name: 'Plain' });
      await expectOfEach(unusualNames, (name) => expectKeptOrRefused(context, { name }));
    },
  },
  'CREATE-4': {
    clause: '4.1',
    statement: 'The created stream has all the submitted profiles, in their order.',
    async check(context) {
      await expectOfEach(recommendedSelections, (profiles) =>
        expectKept(context, { name: 'check', profiles }),
      );
      await expectOfEach(unusualProfiles, (profiles) =>
        expectKeptOrRefused(context, { name: 'check', profiles }),
      );
    },
  },
  'CREATE-13': {
    clause: '2.1',
    statement: 'A name alone is enough to create a stream.',
    async check({ call }) {
      readCreated(await call(post('/stream', { name: 'check' })));
    },
  },
  'CREATE-14': {
    clause: '2.1, 4.1',
    statement: 'Creating a stream without a name is refused.',
    because: 'The name is a required parameter.',
    async check({ call, createStream }) {
      await createStream();
      await createStream({ name: 'check', profiles: recommendedProfiles });
      const bodies = [{}, { profiles: recommendedProfiles }];
      await expectAllRefused(call, 'bodies without a name', bodies, (body) =>
        post('/stream', body),
      );
    },
  },
  'CREATE-16': {
    clause: '2.2',
    statement: 'The recommended 720p, 480p and 360p renditions are accepted and shown.',
    async check(context) {
      await expectKept(context, { name: 'check', profiles: recommendedProfiles });
    },
  },
  'CREATE-17': {
    level: 'should',
    clause: '2.1',
    statement: 'A name that is not a string is refused.',
    because: 'The type of name is string.',
    async check({ call, createStream }) {
      await createStream();
      const values = samplesExcept(...kindsOfText);
      await expectAllRefused(call, 'wrong values of name', values, (name) =>
        post('/stream', { name }),
      );
    },
  },
  'CREATE-18': {
    level: 'should',
    clause: '2.1, 2.2',
    statement: 'Profiles that are not an array of objects are refused.',
    because: 'profiles is an array of profile objects.',
    async check({ call, createStream }) {
      await createStream();
      const elements = samplesExcept('object').map((element) => [element]);
      // To many clients and services, null says that a field is left out.
      const wrongProfiles = [
        ...samplesExcept('array', 'null'),
        { name: '720p' },
        ['720p'],
        ...elements,
      ];
      await expectAllRefused(call, 'wrong values of profiles', wrongProfiles, (profiles) =>
        post('/stream', { name: 'check', profiles }),
      );
    },
  },
  'CREATE-20': {
    clause: '4.1, 4.4',
    statement: 'A refused creation creates nothing, if streams can be listed.',
    because: 'A refused request has no effect.',
    async check(context) {
      const uniqueSuffix = randomUUID().slice(0, 4);
      const refused: { words: string; mark: string; response: TargetResponse }[] = [];
      for (const [index, [words, request]] of Object.entries(refusedCreations).entries()) {
        const mark = `${index} ${uniqueSuffix}`;
        const response = await context.call(request(mark));
        if (isRefused(response)) refused.push({ words, mark, response });
      }
      const { id } = await context.createStream({ name: 'list' });
      // The list is optional (4.4). Only its first page is read.
      const list = await unlessPrevented(context.call(get('/stream')));
      if (!list?.text.includes(id)) {
        return context.addObservation('CREATE-20 found no new stream in GET /stream');
      }
      await expectOfEach(refused, ({ words, mark, response }) => {
        if (!list.text.includes(mark)) return;
        fail(`${words}: expected no stream after it was refused, got one`, response, list);
      });
    },
  },
  'CREATE-22': {
    level: 'should',
    clause: '4, 7',
    statement: 'A creation with malformed JSON is answered with a status below 500.',
    because: 'The mistake is in the request, and a status of 500 or more blames the server.',
    async check({ call, createStream }) {
      await createStream();
      await expectOfEach(['{"name":', '{name: "conformance"}', 'conformance'], async (body) => {
        const response = await call(post('/stream', body));
        if (response.status < 500) return;
        const request = `${statedOperations.create} with ${body}`;
        fail(`${request}: expected a status below 500, got ${response.status}`, response);
      });
    },
  },
  'CREATE-23': {
    level: 'should',
    clause: '2.1',
    statement:
      'An id, streamKey, playbackId or createdAt that a client sends does not become that of the stream.',
    because: 'The service sets them.',
    async check({ createStream, requestStream, now }) {
      await createStream();
      const [, ...groups] = /(.{4})(.{4})-(.{4})-(.{4})/.exec(randomUUID()) ?? [];
      const requested = {
        id: randomUUID(),
        streamKey: groups.join('-'),
        playbackId: randomUUID().replaceAll('-', '').slice(0, 16),
        // A stream that seemed old would not be touched any more.
        createdAt: now() + 10 * 60_000,
      };
      await expectOfEach(Object.entries(requested), async ([field, value]) => {
        const response = await requestStream({ name: 'check', [field]: value });
        if (isRefused(response) || readCreated(response)[field] !== value) return;
        fail(
          `${field}: expected one of the service's own, got the one that the client sent`,
          response,
        );
      });
    },
  },
  'CREATE-25': {
    clause: '2.1, 4.1',
    statement: 'A body that is not an object, or is missing, creates no stream.',
    because: 'The body is a JSON object with the required name.',
    async check({ call, createStream }) {
      await createStream();
      const values = ['check', null, true, 1, []];
      const bodies = [undefined, '', ...values.map((value) => JSON.stringify(value))];
      await expectOfEach(bodies, async (body) => {
        const response = await call(post('/stream', body));
        // Whether it is refused is left open: an empty array may be an order for no streams.
        if (readId(response) === undefined) return;
        fail(`expected the body ${show(response.sent)} to create no stream, got one`, response);
      });
    },
  },
  'CREATE-24': {
    level: 'should',
    clause: '2.2',
    statement: 'A profile with ordinary numbers and a name that is not recommended is accepted.',
    because: 'The interface recommends profiles, and does not exclude others.',
    async check(context) {
      await context.createStream({ name: 'check', profiles: recommendedProfiles });
      await expectKept(context, { name: 'check', profiles: furtherProfiles });
    },
  },
  'CREATE-26': {
    level: 'should',
    clause: '1, 4.1',
    statement: 'The response to a creation says in its content type that it is JSON.',
    because:
      'The interface is HTTP/JSON, but states a content type only for requests, and many clients parse by it.',
    async check({ requestStream }) {
      const response = await requestStream();
      await asPrecondition('creating a stream', () => readCreated(response), 'CREATE-2');
      const type = response.headers.get('content-type') ?? '';
      if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) {
        fail(`content-type: expected application/json, got ${show(type)}`, response);
      }
    },
  },
  'CREATE-27': {
    level: 'should',
    clause: '2.1, 4.1',
    statement: 'The record value in a creation that is accepted is that of the stream.',
    because:
      'A client may send record, which is not required, but the body of a creation is described without it, so a service may refuse it.',
    async check({ createStream, requestStream, retrieve, addObservation }) {
      await createStream();
      await expectOfEach([true, false], async (record) => {
        const response = await requestStream({ name: 'check', record });
        if (isRefused(response)) {
          return addObservation(`a creation with record is refused with status ${response.status}`);
        }
        const created = readCreated(response);
        const shown = created['record'] ?? (await retrieve(String(created['id'])))?.['record'];
        // CREATE-15 judges how it is shown.
        if (shown !== !record) return;
        fail(
          `record of a stream that was created with ${record}: expected that, got ${shown}`,
          response,
        );
      });
    },
  },
});

async function expectKept(context: CheckContext, input: JsonObject): Promise<void> {
  const response = await context.requestStream(input);
  expectKeptIn(response);
}

/** The interface leaves limits open (8): a target may refuse unusual values, but not change them. */
async function expectKeptOrRefused(context: CheckContext, input: JsonObject): Promise<void> {
  const response = await context.requestStream(input);
  if (!isRefused(response)) return expectKeptIn(response);
  context.addObservation(`${show(input)} is refused with status ${response.status}`);
}

/** Expects what was sent, which has a name of its own, in the response. */
function expectKeptIn(response: TargetResponse): void {
  const input: JsonObject = JSON.parse(response.sent ?? '{}');
  expectEcho(readCreated(response), input, 'body', response);
}
