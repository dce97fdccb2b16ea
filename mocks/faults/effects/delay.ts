import { clientOperationNames } from '../../../interface/operation-names.ts';
import { type Delay, describeDelay, type Effect, type RequestFault } from './effect.ts';

/** Nothing but the delay, which every fault of requests may have. */
export interface DelayFault extends RequestFault<'delay'> {
  delay: Delay;
}

export const delay: Effect<DelayFault> = {
  summary: 'The response waits on the clock of the world.',
  sentence: ({ delay }, target) => `Delay ${target} by ${describeDelay(delay)}`,
  operations: clientOperationNames,
  fields: {},
  needsDelay: true,
};
