import { appendFile } from 'node:fs/promises';
import { renderAnnotations } from '../conformance/report/annotations.ts';
import { markdownOf } from '../conformance/report/markdown.ts';
import type { Sections } from '../conformance/report/sections.ts';
import type { CommandProcess } from './process.ts';

/**
 * In a job on GitHub, adds the Markdown report to the step's summary and returns annotations for stdout.
 * Elsewhere it does nothing. If the summary cannot be written, a line on stderr says so.
 */
export async function reportToGitHub(
  sections: Sections,
  { env, stderr }: CommandProcess,
): Promise<string> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = env;
  if (GITHUB_ACTIONS !== 'true') return '';
  try {
    if (GITHUB_STEP_SUMMARY) await appendFile(GITHUB_STEP_SUMMARY, markdownOf(sections));
  } catch (exception) {
    stderr.write(`cannot write the step's summary: ${(exception as Error).message}\n`);
  }
  return renderAnnotations(sections);
}
