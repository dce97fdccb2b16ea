/** Operations of the interface: what clients do. */
export const interfaceOperationNames = [
  'createStream',
  'listStreams',
  'retrieveStream',
  'deleteStream',
  'setRecord',
  'listSessionsOfStream',
  'listSessions',
  'retrieveSession',
] as const;

/** Routes of the media: what players fetch. */
export const mediaRouteNames = [
  'livePlaylist',
  'liveRendition',
  'liveSegment',
  'recordingPlaylist',
  'recordingMp4',
  'recordingRendition',
  'recordingSegment',
] as const;

export type InterfaceOperationName = (typeof interfaceOperationNames)[number];
export type MediaRouteName = (typeof mediaRouteNames)[number];
/** What a client asks for: an operation of the interface, or media. */
export type ClientOperation = InterfaceOperationName | MediaRouteName;

/** Names of all that a client can ask for. */
export const clientOperationNames: readonly ClientOperation[] = [
  ...interfaceOperationNames,
  ...mediaRouteNames,
];

/** Tells what a client asks for from what a tester does. */
export function isClientOperation(name: string): name is ClientOperation {
  return known.has(name);
}

const known: ReadonlySet<string> = new Set(clientOperationNames);
