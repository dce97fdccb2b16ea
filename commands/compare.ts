import { compare } from '../fidelity/compare/compare.ts';
import { exitStatus } from '../fidelity/compare/comparison.ts';
import { comparisonRenderer, howMany, renderTerminal } from '../fidelity/compare/report.ts';
import { readCompare } from './compare-options.ts';
import { type CommandProcess, lookOf } from './process.ts';
import { writeOutput } from './report-files.ts';
import { runOnTarget } from './run-on-target.ts';

/** `livestream-mock compare`: finds out how a service differs from a mock, or from another service. @throws ArgumentError */
export function compareCommand(args: string[], own: CommandProcess): Promise<number> {
  return runOnTarget(own, async (started) => {
    const { signal, cleanUpSignal, onFault, showProgress } = started;
    const { options, reportFiles } = await readCompare(args, started);
    const onProgress = (operations: number, differences: number): void =>
      showProgress(`${howMany(operations, 'operation')}, ${howMany(differences, 'difference')}`);
    const comparison = await compare({ ...options, onProgress, signal, cleanUpSignal, onFault });
    showProgress('');
    for (const file of reportFiles) {
      await writeOutput('option --report', file, comparisonRenderer(file)(comparison));
    }
    const look = { width: 100, ...lookOf(own.stdout, 120) };
    return { text: renderTerminal(comparison, look), exitStatus: exitStatus(comparison) };
  });
}
