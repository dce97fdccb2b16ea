import { isRefusal } from '../../interface/cells.ts';
import type { Manners } from '../../interface/dialect.ts';
import type { InterfaceOperationName, MediaRouteName } from '../../interface/operation-names.ts';
import { isClientOperation, isInterfaceOperation } from '../../interface/operation-names.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import { type ControlOperationName, controlOperations } from './control-operations.ts';

/** Every operation that takes an API key. */
export const operations: typeof interfaceOperations & typeof controlOperations = {
  ...interfaceOperations,
  ...controlOperations,
};

/** Name of an operation of the interface or of the control API. */
export type OperationName = InterfaceOperationName | ControlOperationName;

/** The names of all operations. */
export const operationNames: readonly OperationName[] = Object.keys(operations) as OperationName[];

/** Where the control API lies, from the origin. */
export const controlPath = '/_mock';

/** Where the OpenAPI document lies, from the origin. */
export const openApiPath = '/openapi.json';

/** Where media lies, from the origin. It needs no API key, as players send none. */
export const mediaRoutes: Readonly<Record<MediaRouteName, string>> = {
  livePlaylist: '/hls/{playbackId}/index.m3u8',
  liveRendition: '/hls/{playbackId}/{rendition}/index.m3u8',
  liveSegment: '/hls/{playbackId}/{rendition}/{sessionId}/{file}',
  recordingPlaylist: '/recordings/{sessionId}/index.m3u8',
  recordingMp4: '/recordings/{sessionId}/source.mp4',
  recordingRendition: '/recordings/{sessionId}/{rendition}/index.m3u8',
  recordingSegment: '/recordings/{sessionId}/{rendition}/{file}',
};

/** The path of an operation from the origin, its parameters in braces. */
export function pathOf(name: OperationName, prefix: string): string {
  return (isClientOperation(name) ? prefix : controlPath) + operations[name].path;
}

/** Whether a path is the interface's own, in whatever letter case. */
export function isInterfacePath(pathname: string, prefix: string): boolean {
  const [, first = ''] = pathname.split('/', 2);
  return (
    !ownPaths.has(first) && `${pathname.toLowerCase()}/`.startsWith(`${prefix.toLowerCase()}/`)
  );
}

const ownPaths: ReadonlySet<string> = new Set(
  [controlPath, openApiPath, ...Object.values(mediaRoutes)].map((path) => path.split('/')[1] ?? ''),
);

/** Whether a service has an operation; it may lack those that the interface does not state. */
export function isOffered(name: OperationName, { refusals }: Manners): boolean {
  if (!isInterfaceOperation(name)) return true;
  const cell = refusals[name].get('operation:given');
  return cell === undefined || !isRefusal(cell);
}
