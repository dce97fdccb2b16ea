import { appendFile } from 'node:fs/promises';
import type { Report } from '../conformance/model/report.ts';
import { renderAnnotations, renderMarkdown } from '../conformance/report/github.ts';
import type { CommandProcess } from './process.ts';

/**
 * In a job on GitHub, adds the Markdown report to the summary of the step and returns annotations for
 * stdout; does nothing elsewhere. A summary that cannot be written is a line on stderr.
 */
export async function reportToGitHub(
  report: Report,
  { env, stderr }: Pick<CommandProcess, 'env' | 'stderr'>,
): Promise<string> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = env;
  if (GITHUB_ACTIONS !== 'true') return '';
  try {
    if (GITHUB_STEP_SUMMARY) await appendFile(GITHUB_STEP_SUMMARY, renderMarkdown(report));
  } catch (error) {
    stderr.write(`no summary of this step: ${(error as Error).message}\n`);
  }
  return renderAnnotations(report);
}
