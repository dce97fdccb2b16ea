export type { SessionRecord, StreamRecord } from '../fixtures/world-records.ts';
export type { WorldName } from '../fixtures/worlds.ts';
export { bundledDialects, type DialectText } from '../interface/dialect/bundled-dialects.ts';
export type { Dialect } from '../interface/dialect/dialect.ts';
export type {
  ClientOperation,
  InterfaceOperationName,
  MediaRouteName,
} from '../interface/operation-names.ts';
export { recommendedProfiles } from '../interface/recommended-profiles.ts';
export type {
  MediaCounts,
  NewStream,
  Profile,
  RecordingStatus,
  Session,
  Stream,
} from '../interface/types.ts';
export type {
  Delay,
  EffectName,
  Fault,
  FaultReport,
  FaultScope,
  FaultsState,
  UnableEffects,
} from './faults/fault.ts';
export type { EvidenceReport, VariantEvidence } from './journal/evidence.ts';
export type { Exchange } from './journal/exchange.ts';
export type { HttpArchive } from './journal/har.ts';
export { Problem, type ProblemStatus } from './messages/problem.ts';
export { createMock, type Mock } from './mock.ts';
export type { MockOptions } from './mock-options.ts';
export { type ExportedState, parseState } from './service/exported-state.ts';
export type { Clock, World } from './service/testers/world-handle.ts';
export type { Change, Replacement, SavedState, Update } from './state/change.ts';
export { type BrowserStoreOptions, browserStore } from './stores/browser.ts';
export type { Store } from './stores/store.ts';
export type { VariantName, VariantText } from './variants/families.ts';
