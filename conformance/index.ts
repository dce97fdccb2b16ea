export type { ProviderChoice } from '../target/providers/provider-choice.ts';
export type { Evidence } from '../target/requests/evidence.ts';
export type { Send } from '../target/requests/exchange.ts';
export { requirements } from './checks/catalogue.ts';
export type {
  Need,
  Requirement,
  TestableRequirement,
  UntestableRequirement,
} from './checks/requirement.ts';
export type {
  KnownDeviation,
  Outcome,
  ProviderName,
  Report,
  Result,
  Verdict,
} from './model/report.ts';
export type { Area, Basis, Level } from './model/requirement-facts.ts';
export { renderBadge } from './report/badge.ts';
export { renderHtml } from './report/html.ts';
export { renderJson } from './report/json.ts';
export { renderJunit } from './report/junit.ts';
export { renderMarkdown } from './report/markdown.ts';
export { renderTerminal } from './report/terminal.ts';
export { type Deviations, parseDeviations } from './run/deviations.ts';
export { exitStatus } from './run/verdict.ts';
export { type RunOptions, run } from './run-suite.ts';
