import type { Operation, OperationShape } from '../../interface/operation.ts';
import type { InterfaceOperationName } from '../../interface/operation-names.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import { type ControlOperationName, controlOperations } from './control-operations.ts';

/** Names of the operations. */
export type OperationName = InterfaceOperationName | ControlOperationName;

/** Every operation that takes an API key: for routing, for messages and for OpenAPI. */
export const operations: Readonly<Record<OperationName, Operation>> = {
  ...placeIn('interface', interfaceOperations),
  ...placeIn('control', controlOperations),
};

function placeIn<Name extends string>(
  area: Operation['area'],
  shapes: Readonly<Record<Name, OperationShape>>,
): Record<Name, Operation> {
  const placed = Object.entries<OperationShape>(shapes).map(([name, shape]) => [
    name,
    { area, ...shape },
  ]);
  return Object.fromEntries(placed);
}

/** Where the control API lies, from the origin. */
export const controlPath = '/_mock';

/** The path of an operation from the origin, its parameters in braces. */
export function pathOf({ area, path }: Operation, prefix: string): string {
  return (area === 'control' ? controlPath : prefix) + path;
}
