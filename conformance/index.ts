export { type Deviations, parseDeviations } from './deviations.ts';
export type { Send } from './exchange.ts';
export type { ProviderChoice } from './providers/choice.ts';
export { renderBadge } from './report/badge.ts';
export { renderHtml } from './report/html.ts';
export { parseReport, renderJson } from './report/json.ts';
export { renderJunit } from './report/junit.ts';
export { renderMarkdown } from './report/markdown.ts';
export type {
  Exchange,
  KnownDeviation,
  Outcome,
  ProviderName,
  Report,
  Result,
  Verdict,
} from './report/report.ts';
export { renderTerminal } from './report/terminal.ts';
export type {
  Area,
  Basis,
  Level,
  Need,
  Requirement,
  TestableRequirement,
  UntestableRequirement,
} from './requirement.ts';
export { requirements } from './requirements.ts';
export { type RunOptions, run } from './run.ts';
export { exitStatus } from './verdict.ts';
