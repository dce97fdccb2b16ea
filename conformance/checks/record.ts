import type { TargetResponse } from '../target/exchange.ts';
import { expectRefusal, fail, isSuccess, show } from '../target/expectations.ts';
import { operations, recordCall, streamPath, unknownId } from '../target/operations.ts';
import type { Requirement } from './requirement.ts';
import { expectUnchanged } from './unchanged.ts';

const area = 'record';
const level = 'must';
const stated = { kind: 'stated' } as const;
const needs = ['writes'] as const;

/** Switching recording of a stream on and off (interface 3 and 4.2). */
export const recordRequirements: readonly Requirement[] = [
  {
    id: 'RECORD-1',
    area,
    level,
    clause: '4.2',
    statement: 'Turning recording on answers with status 204.',
    basis: stated,
    needs,
    mutants: ['record-answers-200'],
    async check({ call, createStream }) {
      const { id } = await createStream();
      expectNoContent(await call(recordCall(id, { record: true })));
    },
  },
  {
    id: 'RECORD-2',
    area,
    level,
    clause: '4.2',
    statement: 'Turning recording off answers with status 204.',
    basis: stated,
    needs,
    mutants: ['record-refuses-off'],
    async check({ call, createStream, setRecord }) {
      const { id } = await createStream();
      await setRecord(id, true);
      expectNoContent(await call(recordCall(id, { record: false })));
    },
  },
  {
    id: 'RECORD-3',
    area,
    level,
    clause: '4.2',
    statement: 'The answer has no body.',
    basis: stated,
    needs,
    mutants: ['record-answers-with-body'],
    async check(context) {
      const { id } = await context.createStream();
      for (const record of [true, false]) {
        const response = await context.setRecord(id, record);
        if (response.text !== '') failContent(response);
      }
    },
  },
  {
    id: 'RECORD-4',
    area,
    level,
    clause: '4.2',
    statement: 'A value that a stream already has can be set again.',
    basis: {
      kind: 'derived',
      because:
        '`true` turns recording on and `false` off, without a condition on the value before.',
    },
    needs,
    mutants: ['record-refuses-repetition'],
    async check({ call, createStream, setRecord }) {
      const { id } = await createStream();
      for (const record of [true, false]) {
        await setRecord(id, record);
        expectTaken(await call(recordCall(id, { record })), `${record} again`);
      }
    },
  },
  {
    id: 'RECORD-12',
    area,
    level,
    clause: '4.2',
    statement: 'A body without record is refused.',
    basis: { kind: 'derived', because: 'record is required.' },
    needs,
    mutants: ['record-takes-nothing-for-false'],
    async check(context) {
      const { id } = await context.createStream();
      await context.setRecord(id, true);
      for (const body of [{}, { recording: true }]) {
        expectRefusal(await context.call(recordCall(id, body)), `the body ${show(body)}`);
      }
    },
  },
  {
    id: 'RECORD-13',
    area,
    level,
    clause: '4.2',
    statement: 'A record that is not a boolean is refused.',
    basis: { kind: 'derived', because: 'record is a boolean: `true` or `false`.' },
    needs,
    mutants: ['record-takes-truthy-values', 'record-takes-text', 'record-takes-null'],
    async check(context) {
      const { id } = await context.createStream();
      await context.setRecord(id, true);
      for (const record of ['true', 1, 0, null, [true], {}]) {
        expectRefusal(await context.call(recordCall(id, { record })), `record ${show(record)}`);
      }
    },
  },
  {
    id: 'RECORD-14',
    area,
    level,
    clause: '4.2',
    statement: 'An identifier that belongs to no stream is refused.',
    basis: { kind: 'derived', because: '{id} is the identifier of a parent stream.' },
    needs,
    mutants: ['record-accepts-unknown-stream'],
    async check({ call, createStream, setRecord }) {
      await setRecord((await createStream()).id, true);
      expectRefusal(await call(recordCall(unknownId, { record: true })), 'an unknown id');
    },
  },
  {
    id: 'RECORD-15',
    area,
    level,
    clause: '4.2',
    statement: 'A refused request leaves the record value as it was.',
    basis: {
      kind: 'derived',
      because: '204 indicates that the value was updated; a refusal says that it was not.',
    },
    needs,
    mutants: ['record-refuses-and-changes'],
    async check(context) {
      const stream = await context.createStream();
      await expectUnchanged(context, stream, {
        refusedBy: 'RECORD-12 and RECORD-13',
        calls: (opposite) =>
          [String(opposite), Number(opposite), null, [opposite], undefined].map((record) =>
            recordCall(stream.id, { record }),
          ),
      });
    },
  },
  {
    id: 'RECORD-16',
    area,
    level,
    clause: '3',
    statement: 'Writing to the stream itself does not switch recording.',
    basis: {
      kind: 'derived',
      because:
        "A stream's record value changes only through the operation in 4.2; these are the other ways that a client would try.",
    },
    needs,
    mutants: [
      'record-changes-by-general-patch',
      'record-changes-by-bare-patch',
      'record-changes-by-put',
    ],
    async check(context) {
      const stream = await context.createStream();
      const path = streamPath(stream.id);
      await expectUnchanged(context, stream, {
        calls: (record) =>
          ['PATCH', 'PUT', 'POST'].flatMap((method) =>
            [{ record }, { name: 'conformance', record }].map((body) => ({ method, path, body })),
          ),
      });
    },
  },
  {
    id: 'RECORD-17',
    area,
    level,
    clause: '1, 2.3',
    statement: 'A session is read-only.',
    basis: stated,
    untestable:
      'The interface names no operation that would write to a session but the one on its record value (RECORD-10 and RECORD-11).',
  },
];

/** Which status a success has is the subject of RECORD-1 and RECORD-2. */
function expectTaken(response: TargetResponse, value: string): void {
  if (isSuccess(response)) return;
  fail(
    `${operations.record}: expected setting record to ${value} to succeed with a status from 200 to 299, got ${response.status}`,
    response,
  );
}

function expectNoContent(response: TargetResponse): void {
  if (response.status !== 204) failContent(response);
}

/** A body comes with another status than 204, so the two are told in one sentence. */
function failContent(response: TargetResponse): never {
  const body = response.text === '' ? 'no body' : 'a body';
  return fail(
    `${operations.record}: expected status 204 and no body, got ${response.status} and ${body}`,
    response,
  );
}
