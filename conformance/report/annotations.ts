import type { Cause, Sections } from './sections.ts';
import { firstIds } from './wording.ts';

/**
 * A report as annotations of a job on GitHub, a workflow command on each line. Every cause of failures has
 * one: an error if the verdict depends on it, otherwise a warning, as has every recommendation that is not met. Another
 * one says why a run is incomplete. The text is empty if there is none of these.
 */
export function renderAnnotations(sections: Sections): string {
  const { exitStatus, headline, sentence, reasons, failed, unmet } = sections;
  const isIncomplete = exitStatus > 1;
  const explanation = [sentence, ...reasons].join('\n');
  const incomplete = isIncomplete ? command('error', headline, explanation) : '';
  return incomplete + [...failed.causes, ...unmet.causes].map(annotateCause).join('');
}

function annotateCause({ binds, message, results, clauses }: Cause): string {
  const lines = results.map(({ line }) => line);
  const text = [message, ...lines, ...clauses.map((clause) => `Clause ${clause}`)].join('\n');
  return command(binds ? 'error' : 'warning', firstIds(results), text);
}

/** Escaped as GitHub's toolkit does, so that no text can end its part of the command or begin a line. */
function command(name: 'error' | 'warning', title: string, message: string): string {
  const property = escapeData(title).replace(/:/g, '%3A').replace(/,/g, '%2C');
  return `::${name} title=${property}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}
