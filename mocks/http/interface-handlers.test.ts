import { expect, test } from 'vitest';
import { classesOf } from '../../interface/dialect/orders.ts';
import { interfaceOperationNames } from '../../interface/operation-names.ts';
import { interfaceHandlers } from './interface-handlers.ts';

const entryClasses: readonly string[] = ['key', 'no-key', 'body'];

test.each(interfaceOperationNames)('%s has a stage for each class of its errors', (name) => {
  const classes = classesOf(name).filter((one) => !entryClasses.includes(one));
  expect([...interfaceHandlers[name].stages].toSorted()).toEqual(classes.toSorted());
});
