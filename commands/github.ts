import { appendFile } from 'node:fs/promises';
import type { Report } from '../conformance/model/report.ts';
import { renderAnnotations } from '../conformance/report/annotations.ts';
import { renderMarkdown } from '../conformance/report/markdown.ts';

/**
 * What a job on GitHub shows beside the terminal's text, nothing elsewhere: returns annotations for
 * stdout, and adds the Markdown to the summary of the step, where that can be written.
 */
export async function reportToGitHub(
  report: Report,
  { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY }: NodeJS.ProcessEnv,
): Promise<string> {
  if (GITHUB_ACTIONS !== 'true') return '';
  try {
    if (GITHUB_STEP_SUMMARY) await appendFile(GITHUB_STEP_SUMMARY, renderMarkdown(report));
  } catch (error) {
    process.stderr.write(`no summary of this step: ${(error as Error).message}\n`);
  }
  return renderAnnotations(report);
}
