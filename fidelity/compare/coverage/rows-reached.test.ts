import { expect, test } from 'vitest';
import type { RowId } from '../../../interface/silent.ts';
import type { OperationName } from '../moves/move.ts';
import { rowsReached } from './rows-reached.ts';

const cases: readonly {
  operation: OperationName;
  about: readonly string[];
  reached: readonly RowId[];
  not: readonly RowId[];
}[] = [
  {
    operation: 'createStream',
    about: ['name: long'],
    reached: ['create.name-length'],
    not: ['refusal.wrong-name', 'create.empty-name', 'order.createStream'],
  },
  {
    operation: 'createStream',
    about: ['name: number', 'recordingSpec: object'],
    reached: ['refusal.wrong-name', 'create.known-field.recordingSpec', 'order.createStream'],
    not: ['create.record', 'create.wrong-record', 'order.setRecord'],
  },
  {
    operation: 'createStream',
    about: ['profiles', 'profiles[].gop: text', 'profiles[].width: 0'],
    reached: ['profile.known-field.gop', 'profile.zero.width'],
    not: ['refusal.wrong-profiles', 'profile.zero.height', 'profile.known-field.fpsDen'],
  },
  {
    operation: 'retrieveSession',
    about: ['id: session of a deleted stream', 'method: HEAD'],
    reached: ['delete.leaves', 'http.head'],
    not: ['refusal.method', 'http.allow'],
  },
];

test.each(cases)(
  '$operation with $about asks about $reached',
  ({ operation, about, reached, not }) => {
    const found = rowsReached({ operation, about });
    expect(found).toEqual(expect.arrayContaining([...reached]));
    expect(found.filter((row) => not.includes(row))).toEqual([]);
  },
);
