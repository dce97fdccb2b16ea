/** The operations of the interface. */
export const interfaceOperationNames = [
  'createStream',
  'listStreams',
  'retrieveStream',
  'updateStream',
  'deleteStream',
  'setRecord',
  'listSessionsOfStream',
  'listSessions',
  'retrieveSession',
  'terminateStream',
  'retrievePlayback',
] as const;

/** The operations that the interface states; it leaves open whether a service has the others. */
export const statedOperationNames = ['createStream', 'setRecord', 'listSessionsOfStream'] as const;

/** The routes of the media, which players request. */
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

/** All that a client can request. */
export const clientOperationNames = [...interfaceOperationNames, ...mediaRouteNames] as const;

/** What a client requests: an operation of the interface, or media. */
export type ClientOperation = (typeof clientOperationNames)[number];

/** Whether a name is one of the interface's operations. */
export function isInterfaceOperation(name: string): name is InterfaceOperationName {
  return (interfaceOperationNames as readonly string[]).includes(name);
}

/** Whether a name is one of a client's operations; those of the control API are a tester's. */
export function isClientOperation(name: string): name is ClientOperation {
  return (clientOperationNames as readonly string[]).includes(name);
}
