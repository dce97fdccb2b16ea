import type { Report } from '../model/report.ts';
import { withVisibleStrings } from '../model/visible.ts';
import { exitStatus } from '../run/verdict.ts';
import { explainClauses } from './text/clauses.ts';
import { byCause, type Cause } from './text/marks.ts';
import { describeRequirement, firstIds, headline } from './text/wording.ts';

/**
 * A report as annotations of a job on GitHub, a workflow command on each line: one for every cause of
 * failures, an error where it breaks a `must` and else a warning, and one that says why a run is
 * incomplete. The text is empty where nothing failed.
 */
export function renderAnnotations(report: Report): string {
  const shown = withVisibleStrings(report);
  const { verdict, reasons, results } = shown;
  const incomplete = exitStatus(shown) !== 0 && verdict !== 'nonconformant';
  return [
    ...(incomplete ? [command('error', headline(shown), reasons.join('\n'))] : []),
    ...byCause(results, ['fail', 'error']).map(annotateCause),
  ].join('');
}

function annotateCause({ mark, binds, message, results }: Cause): string {
  const clauses = mark === 'fail' ? explainClauses(results) : [];
  const text = [
    message,
    ...results.map(describeRequirement),
    ...clauses.map((clause) => `Clause ${clause}`),
  ].join('\n');
  return command(binds ? 'error' : 'warning', firstIds(results, mostIds), text);
}

/** As many as fit into a title. */
const mostIds = 4;

/** Escaped as GitHub's toolkit does, so that no text can end its part of the command or begin a line. */
function command(name: 'error' | 'warning', title: string, message: string): string {
  const property = escapeData(title).replace(/:/g, '%3A').replace(/,/g, '%2C');
  return `::${name} title=${property}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}
