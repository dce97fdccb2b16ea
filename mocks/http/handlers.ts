import type { Handler } from './call.ts';
import { controlHandlers } from './control-handlers.ts';
import { interfaceHandlers } from './interface-handlers.ts';
import type { OperationName } from './operations.ts';

/** What each operation does. */
export const handlers: Readonly<Record<OperationName, Handler>> = {
  ...interfaceHandlers,
  ...controlHandlers,
};
