import { expectRefusal, expectStatus, fail, show } from '../expectations.ts';
import { Blocked } from '../failure.ts';
import { type Lab, recordPath, streamPath } from '../lab.ts';
import type { Requirement } from '../requirement.ts';
import type { Call } from '../target.ts';
import { expectStillRecording } from './unchanged.ts';

const area = 'record';
const level = 'must';
const stated = { kind: 'stated' } as const;
const needs = ['writes'] as const;
const needsEncoder = ['writes', 'encoder'] as const;
const unknownId = '00000000-0000-4000-8000-000000000000';

/** Switching recording on and off (interface 3 and 4.2). */
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
    check: (lab) => expectSwitches(lab, [true]),
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
    check: (lab) => expectSwitches(lab, [true, false]),
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
    async check(lab) {
      const { id } = await lab.createStream();
      for (const record of [true, false]) {
        const { text } = await lab.call(patch(id, { record }));
        if (text !== '') fail(`expected no body, got ${show(text)}`);
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
    check: (lab) => expectSwitches(lab, [false, true, true, false, false]),
  },
  {
    id: 'RECORD-5',
    area,
    level,
    clause: '4.2 rule 4',
    statement: 'A session that begins after recording was turned on is recorded.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-ignores-on'],
    async check(lab) {
      const { switched, afterOff, afterOn, recordedAsShown } = await lab.history();
      if (afterOn.length > afterOff.length) return;
      if (recordedAsShown?.['record'] === false) {
        fail(
          `record: expected true in a session that began after PATCH ${recordPath(switched.id)} with true, got false`,
        );
      }
      throw new Blocked(
        'a recorded session: none was listed in time; if the target needs longer, raise --patience',
      );
    },
  },
  {
    id: 'RECORD-6',
    area,
    level,
    clause: '4.2 rule 4',
    statement: 'A session that begins after recording was turned off is not recorded.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-ignores-off'],
    async check(lab) {
      const { afterOn, atEnd } = await lab.history();
      // What is listed after this may be the session before, late.
      if (afterOn.length === 0) {
        throw new Blocked('a recorded session: none was listed in time; see RECORD-5');
      }
      const before = new Set(afterOn.map(({ id }) => id));
      const more = atEnd.filter(({ id }) => !before.has(id));
      if (more.length > 0) {
        fail(
          `expected no recorded session that began after recording was turned off, got ${show(more.map(({ id }) => id))}`,
        );
      }
    },
  },
  {
    id: 'RECORD-7',
    area,
    level,
    clause: '4.2 rule 5',
    statement: 'Turning recording off leaves recorded sessions recorded.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-off-unrecords-sessions'],
    async check(lab) {
      const { afterOn, atEnd } = await lab.history();
      const recorded = afterOn.filter(({ record }) => record === true);
      if (recorded.length === 0) {
        throw new Blocked('a recorded session: none was listed; see RECORD-5 and LIST-7');
      }
      for (const session of recorded) {
        const later = atEnd.find(({ id }) => id === session['id']);
        if (later?.['record'] !== true) {
          fail(
            `record of session ${show(session['id'])}: expected true as before recording was turned off, got ${later ? show(later['record']) : 'no such session in the list'}`,
          );
        }
      }
    },
  },
  {
    id: 'RECORD-8',
    area,
    level,
    clause: '4.2 rule 5',
    statement: 'Turning recording on does not make recorded sessions of earlier ones.',
    basis: stated,
    needs: needsEncoder,
    mutants: ['record-on-records-earlier-sessions'],
    async check(lab) {
      const { afterOff, afterOn } = await lab.history();
      if (afterOff.length > 0) {
        throw new Blocked('an unrecorded session: a new stream records by default; see LIST-3');
      }
      if (afterOn.length > 1) {
        fail(
          `expected one recorded session, of those before and after recording was turned on, got ${afterOn.length}`,
        );
      }
    },
  },
  {
    id: 'RECORD-9',
    area,
    level,
    clause: '4.2',
    statement: 'Switching recording of one stream leaves other streams alone.',
    basis: { kind: 'derived', because: 'The operation names the one stream that it modifies.' },
    needs: needsEncoder,
    mutants: ['record-switches-every-stream', 'record-off-switches-every-stream'],
    async check(lab) {
      const { otherBefore, otherAtEnd } = await lab.history();
      const wrongly = [...otherBefore, ...otherAtEnd.slice(1)];
      if (wrongly.length > 0) {
        fail(
          `expected no recorded session of a stream whose recording was never turned on, got ${show(wrongly.map(({ id }) => id))}`,
        );
      }
      await expectStillRecording(lab, await lab.createStream(), async () => {
        const { id } = await lab.createStream();
        for (const record of [true, false]) await lab.setRecord(id, record);
      });
    },
  },
  {
    id: 'RECORD-10',
    area,
    level,
    clause: '2.3, 4.2 rules 1 to 3',
    statement: "Changing the record value of a session, by the session's id, is refused.",
    basis: stated,
    needs: ['writes', 'session'],
    mutants: ['record-accepts-session'],
    async check(lab) {
      const { session } = await lab.recording('any');
      for (const record of [false, true]) {
        expectRefusal(await lab.call(patch(session['id'], { record })), "a session's id");
      }
    },
  },
  {
    id: 'RECORD-11',
    area,
    level,
    clause: '2.3, 4.2 rules 2 and 3',
    statement: 'A request to change the record value of a session changes nothing.',
    basis: stated,
    needs: ['writes', 'session'],
    mutants: ['record-changes-session-silently', 'record-changes-parent-of-session'],
    async check(lab) {
      const { streamId, session } = await lab.recording('any');
      const parent = await lab.retrieve(streamId);
      for (const record of [true, false]) {
        await lab.call(patch(session['id'], { record }));
        const shown = parent && (await lab.retrieve(streamId));
        if (shown?.['record'] !== parent?.['record']) {
          fail(
            `record of stream ${streamId}: expected ${show(parent?.['record'])} as before, got ${show(shown?.['record'])}`,
          );
        }
      }
      const listed = await lab.listRecorded(streamId);
      const later = listed.find(({ id }) => id === session['id']);
      if (later?.['record'] !== true) {
        fail(
          `record of session ${show(session['id'])}: expected true as before, got ${later ? show(later['record']) : 'no such session in the list'}`,
        );
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
    async check(lab) {
      const { id } = await lab.createStream();
      await lab.setRecord(id, true);
      for (const body of [{}, { recording: true }]) {
        expectRefusal(await lab.call(patch(id, body)), `the body ${show(body)}`);
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
    async check(lab) {
      const { id } = await lab.createStream();
      await lab.setRecord(id, true);
      for (const record of ['true', 1, 0, null, [true], {}]) {
        expectRefusal(await lab.call(patch(id, { record })), `record ${show(record)}`);
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
      expectRefusal(await call(patch(unknownId, { record: true })), 'an unknown id');
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
    async check(lab) {
      const stream = await lab.createStream();
      await expectStillRecording(lab, stream, async () => {
        for (const body of [{ record: 'false' }, { record: 0 }, { record: null }, {}]) {
          await lab.call(patch(stream.id, body));
        }
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
    async check(lab) {
      const stream = await lab.createStream();
      await expectStillRecording(lab, stream, async () => {
        const path = streamPath(stream.id);
        for (const method of ['PATCH', 'PUT']) {
          for (const body of [{ record: false }, { name: 'conformance', record: false }]) {
            await lab.call({ method, path, body });
          }
        }
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

function patch(id: unknown, body: unknown): Call {
  return { method: 'PATCH', path: recordPath(id), body };
}

async function expectSwitches(lab: Lab, values: readonly boolean[]): Promise<void> {
  const { id } = await lab.createStream();
  for (const record of values) expectStatus(await lab.call(patch(id, { record })), 204);
}
