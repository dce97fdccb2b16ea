import { isDeepStrictEqual } from 'node:util';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { expectAllRefused, expectEcho } from '../../target/requests/expectations.ts';
import {
  asPrecondition,
  Blocked,
  expectOfEach,
  fail,
  unlessPrevented,
} from '../../target/requests/failure.ts';
import { isSuccess, type JsonObject } from '../../target/requests/read-response.ts';
import { idEndings, notAnId, unknownId } from '../../target/requests/well-known.ts';
import { patchRecord, statedOperations, streamPath } from '../../target/streams/stream-requests.ts';
import { show } from '../../text/phrases.ts';
import type { CheckContext } from './check-context.ts';
import { requirementsOf, type UntestableRequirement } from './requirement.ts';
import { documentedProfiles } from './shown-fields.ts';
import { readIdentifier } from './stream-fields.ts';
import { expectUnchanged, showsRecord } from './unchanged.ts';
import { booleanLookAlikes, samplesExcept } from './wrong-values.ts';

/** Switching recording of a stream on and off (interface 3 and 4.2). */
export const recordRequirements = requirementsOf('record', ['writes'], {
  'RECORD-1': {
    clause: '4.2',
    statement: 'Turning recording on returns status 204.',
    async check({ call, createStream }) {
      const { id } = await createStream();
      expectNoContent(await call(patchRecord(id, { record: true })));
    },
  },
  'RECORD-2': {
    clause: '4.2',
    statement: 'Turning recording off returns status 204.',
    async check({ call, createStream, setRecord }) {
      const { id } = await createStream();
      await setRecord(id, true);
      expectNoContent(await call(patchRecord(id, { record: false })));
    },
  },
  'RECORD-3': {
    clause: '4.2',
    statement: 'The response has no body.',
    async check({ createStream, setRecord }) {
      const { id } = await createStream();
      await expectOfEach([true, false], async (record) => {
        const response = await setRecord(id, record);
        if (response.text !== '') failContent(response);
      });
    },
  },
  'RECORD-4': {
    clause: '4.2',
    statement: 'A value that a stream already has, or had before, can be set again.',
    because: '`true` turns recording on and `false` off, whatever the value was before.',
    async check(context) {
      const { id } = await context.createStream();
      const isShown = await showsRecord(context, id);
      await expectOfEach([true, true, false, false, true, false], async (record) => {
        const response = await context.call(patchRecord(id, { record }));
        const request = `${statedOperations.record} with ${record} again`;
        // RECORD-1 and RECORD-2 judge the status of a success.
        if (!isSuccess(response)) {
          fail(`${request}: expected a status from 200 to 299, got ${response.status}`, response);
        }
        const after = isShown ? await context.retrieve(id) : undefined;
        if (after === undefined || after['record'] === record) return;
        fail(
          `${request}: expected record of the stream to be ${record} then, got ${show(after['record'])}`,
          response,
          after,
        );
      });
      if (!isShown) await expectRecordedIfTurnedOnTwice(context);
    },
  },
  'RECORD-12': {
    clause: '4.2',
    statement: 'A body without record is refused.',
    because: 'record is required.',
    async check({ call, createStream, setRecord }) {
      const { id } = await createStream();
      await setRecord(id, true);
      const bodies = [{}, { recording: true }];
      await expectAllRefused(call, 'bodies without record', bodies, (body) =>
        patchRecord(id, body),
      );
    },
  },
  'RECORD-13': {
    clause: '4.2',
    statement: 'A record that is not a boolean, and does not look like one, is refused.',
    because: 'record is a boolean: `true` or `false`.',
    async check({ call, createStream, setRecord }) {
      const { id } = await createStream();
      await setRecord(id, true);
      const wrongValues = samplesExcept('boolean', 'boolean-text', 'boolean-number');
      const values = [...wrongValues, 2, [true]];
      await expectAllRefused(call, 'wrong values of record', values, (record) =>
        patchRecord(id, { record }),
      );
    },
  },
  'RECORD-14': {
    clause: '4.2',
    statement: 'An identifier that belongs to no stream is refused.',
    because: '{id} is the identifier of a parent stream.',
    async check({ call, createStream, setRecord }) {
      const { id } = await createStream();
      await setRecord(id, true);
      const ids = [unknownId, notAnId];
      await expectAllRefused(call, 'ids of no stream', ids, (unknown) =>
        patchRecord(unknown, { record: true }),
      );
    },
  },
  'RECORD-15': {
    clause: '4.2',
    statement: 'A refused request does not change the record value.',
    because: '204 indicates that the value was updated; a refusal indicates that it was not.',
    async check(context) {
      const stream = await context.createStream();
      // Each of them means the same to a language that takes any value for a boolean, so none undoes what another did.
      const meaning = {
        true: ['true', 1, 'yes', [true], {}],
        // The last ones are false to any language; the first is true to some.
        false: ['false', 0, null, '', undefined],
      };
      const requests = (opposite: boolean) =>
        meaning[`${opposite}`].map((record) => patchRecord(stream.id, { record }));
      await expectUnchanged(context, stream, requests, 'RECORD-12 and RECORD-13');
    },
  },
  'RECORD-16': {
    clause: '3',
    statement: 'Writing to the stream itself does not switch recording.',
    because:
      "A stream's record value changes only through the operation in 4.2; a client might try these other ways.",
    async check(context) {
      const stream = await context.createStream();
      const path = streamPath(stream.id);
      await expectUnchanged(context, stream, (record) =>
        ['PATCH', 'PUT', 'POST'].flatMap((method) =>
          [{ record }, { name: 'check', record }].map((body) => ({ method, path, body })),
        ),
      );
    },
  },
  'RECORD-19': {
    level: 'should',
    clause: '4.2',
    statement: 'Switching recording changes nothing else that the target shows about the stream.',
    because:
      '204 indicates that the record value was updated. The interface does not say that nothing else may change, but an encoder keeps its stream key.',
    async check(context) {
      const input = { name: 'check', profiles: recommendedProfiles };
      const { id, fields } = await context.createStream(input);
      const before = await context.retrieve(id);
      if (before === undefined) return context.addObservation('GET /stream/{id} shows no stream');
      const created = documented(fields);
      // The interface leaves retrieval open: a field is judged if it is shown as in the creation's response.
      const steadyFields = Object.entries(documented(before)).filter(
        ([key, value]) => value !== undefined && isDeepStrictEqual(value, created[key]),
      );
      const switches: { response: TargetResponse; after: JsonObject }[] = [];
      for (const record of [true, false]) {
        const response = await context.setRecord(id, record);
        const after = await context.retrieve(id);
        if (after !== undefined) switches.push({ response, after });
      }
      await expectOfEach(steadyFields, ([key, value]) => {
        for (const { response, after } of switches) {
          expectEcho(after, { [key]: value }, 'stream', response, after);
        }
      });
    },
  },
  'RECORD-20': {
    clause: '4.2',
    statement: 'A body that is not an object, or is missing, does not switch recording.',
    because: 'The body is a JSON object with record.',
    async check(context) {
      const stream = await context.createStream();
      await expectUnchanged(context, stream, (opposite) => {
        const values = [opposite, 'record', null, [], [opposite], [{ record: opposite }]];
        const bodies = [undefined, '', ...values.map((value) => JSON.stringify(value))];
        return bodies.map((body) => patchRecord(stream.id, body));
      });
    },
  },
  'RECORD-21': {
    level: 'should',
    clause: '4.2, 7',
    statement: 'A record that only looks like a boolean is refused.',
    because:
      'record is a boolean, but the interface shows no conditions of errors, so a service may read "true", "yes" or 1 as one.',
    async check({ call, createStream, setRecord }) {
      const { id } = await createStream();
      await setRecord(id, true);
      const values = [...booleanLookAlikes.keys(), 'yes', 'no'];
      await expectAllRefused(call, 'wrong values of record', values, (record) =>
        patchRecord(id, { record }),
      );
    },
  },
  'RECORD-22': {
    clause: '4.2',
    statement: 'A record that only looks like a boolean, if it is accepted, is what is set.',
    because: '204 indicates that the record value was updated.',
    async check(context) {
      const { id } = await context.createStream();
      if (!(await showsRecord(context, id))) {
        return context.addObservation('GET /stream/{id} does not show whether recording is on');
      }
      await expectOfEach(booleanLookAlikes, async ([value, meaning]) => {
        await context.setRecord(id, !meaning);
        const response = await context.call(patchRecord(id, { record: value }));
        if (!isSuccess(response)) return;
        const after = await context.retrieve(id);
        // CREATE-15 judges how the value is shown.
        if (after === undefined || [meaning, value].includes(after['record'])) return;
        fail(
          `record of the stream: expected ${meaning} after record ${show(value)} was accepted with status ${response.status}, got ${show(after['record'])}`,
          response,
          after,
        );
      });
    },
  },
  'RECORD-23': {
    level: 'should',
    clause: '4.2',
    statement: 'A field that differs from record in letter case does not switch recording.',
    because: 'The field is called record, and the names of JSON fields depend on letter case.',
    async check(context) {
      const stream = await context.createStream();
      await expectUnchanged(context, stream, (opposite) =>
        [{ Record: opposite }, { RECORD: opposite }].map((body) => patchRecord(stream.id, body)),
      );
    },
  },
  'RECORD-24': {
    level: 'should',
    clause: '4.2',
    statement: 'A body with text after its object does not switch recording.',
    because: 'The body is one JSON object, and what has text after it is not JSON.',
    async check(context) {
      const stream = await context.createStream();
      await expectUnchanged(context, stream, (opposite) => {
        const body = JSON.stringify({ record: opposite });
        return [`${body} and more`, `${body}${body}`].map((text) => patchRecord(stream.id, text));
      });
    },
  },
  'RECORD-25': {
    clause: '4.2',
    statement: 'The id of a stream with more or fewer characters is refused.',
    because: '{id} is the identifier of a parent stream, and one with other characters is another.',
    async check({ call, createStream, setRecord, retrieve, shortenedIds, addObservation }) {
      const { id } = await createStream();
      await setRecord(id, true);
      if (isSuccess(await call(patchRecord(unknownId, { record: true })))) {
        throw new Blocked('needs a target that distinguishes ids; see RECORD-14');
      }
      const shorterIds = shortenedIds(id);
      if (shorterIds.length === 0) {
        addObservation('RECORD-25 tried no id with fewer characters, as other ids may begin so');
      }
      const otherIds = [...idEndings.map((ending) => id + ending), ...shorterIds];
      // What the target shows for such an id tells the gate whether it may mean a stream of somebody else.
      for (const otherId of otherIds) await retrieve(otherId);
      const subject = 'ids with more or fewer characters than that of a stream';
      await expectAllRefused(call, subject, otherIds, (otherId) =>
        patchRecord(otherId, { record: false }),
      );
    },
  },
  'RECORD-26': {
    level: 'should',
    clause: '4.2',
    statement: 'The playback id and the stream key of a stream do not switch its recording.',
    because:
      'The operation names a stream by its id. The interface does not exclude another name, but the playback id is public.',
    async check(context) {
      const stream = await context.createStream();
      const names = await asPrecondition(
        'reading the identifiers of a stream',
        () =>
          (['playbackId', 'streamKey'] as const).map((name) => readIdentifier(stream.fields, name)),
        'CREATE-9 and CREATE-10',
      );
      const otherNames = names.filter((name) => name !== stream.id);
      for (const name of otherNames) await context.retrieve(name);
      await expectUnchanged(context, stream, (opposite) =>
        otherNames.map((name) => patchRecord(name, { record: opposite })),
      );
    },
  },
  'RECORD-29': {
    level: 'should',
    clause: '4.2',
    statement:
      'Switching recording of streams does not change the record of streams that are created later.',
    because:
      'The operation modifies the stream that it names. The interface does not say what the record of a new stream is, but a client would not expect it to follow from other streams.',
    async check({ createStream, setRecord, defaultRecords }) {
      const { id } = await createStream();
      await setRecord(id, true);
      await createStream();
      // Other checks switch recording at the same time, so all streams are compared that the run has created so far.
      await expectOfEach(Object.values(defaultRecords), (responses) => {
        const [first, second] = responses.values();
        if (first === undefined || second === undefined) return;
        fail(
          'record of new streams: expected the same in all that were created alike, whichever streams were switched before, got true and false',
          first,
          second,
        );
      });
    },
  },
});

/** Judges what a stream does not show by its next session. Without an encoder, that is not known. */
async function expectRecordedIfTurnedOnTwice(context: CheckContext): Promise<void> {
  const { switched } = (await unlessPrevented(context.history())) ?? {};
  const next = await unlessPrevented(context.turnedOnTwice());
  // A missing session proves nothing if the target never listed one in time.
  const listsSessions = switched !== undefined && switched.sessions.length > 0;
  if (next === undefined || next.recorded || !listsSessions) return;
  fail(
    'expected the next session of a stream whose recording was turned on twice to be recorded, got none in the list',
    next.switch,
    next.begunSession,
    next.sessions,
  );
}

/** The interface names only one operation that would write to a session. */
export const sessionsAreReadOnly: UntestableRequirement = {
  id: 'RECORD-17',
  area: 'record',
  level: 'must',
  clause: '1, 2.3',
  statement: 'A session is read-only.',
  basis: { kind: 'stated' },
  untestable:
    'The interface names only one operation that would write to a session, the one on its record value (RECORD-10 and RECORD-11).',
};

/** The fields of a stream that the interface names, except its record (interface 2.1). */
function documented(stream: JsonObject): JsonObject {
  const { name, id, createdAt, streamKey, playbackId, profiles } = stream;
  return { name, id, createdAt, streamKey, playbackId, profiles: documentedProfiles(profiles) };
}

function expectNoContent(response: TargetResponse): void {
  if (response.status !== 204) failContent(response);
}

/** A response with a body usually has a status other than 204, so one message says both. */
function failContent(response: TargetResponse): never {
  const got = `${response.status} and ${response.text === '' ? 'no body' : 'a body'}`;
  return fail(`${statedOperations.record}: expected status 204 and no body, got ${got}`, response);
}
