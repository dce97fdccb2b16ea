import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare } from '../fidelity/compare/compare.ts';
import { comparisonRenderer } from '../fidelity/compare/report/render.ts';
import { renderTerminal } from '../fidelity/compare/report/terminal.ts';
import { exitStatus } from '../fidelity/compare/search/comparison.ts';
import { asArgumentError } from './arguments.ts';
import { readCompare } from './compare-options.ts';
import { listenForInterruption } from './interruption.ts';
import { createStatusLine } from './status-line.ts';

/** `livestream-mock compare`: finds out how a service differs from a mock, or from another service. @throws ArgumentError */
export async function compareCommand(args: string[]): Promise<void> {
  // If the process ends before the comparison is written, it must not exit with 0.
  process.exitCode = 3;
  const interruption = listenForInterruption();
  const { signal, cleanUpSignal } = interruption;
  const status = createStatusLine(process.stderr);
  const onProgress = (operations: number, differences: number): void =>
    status.show(`${operations} operations, ${differences} differences`);
  const folder = await mkdtemp(join(tmpdir(), 'livestream-mock-'));
  try {
    const { options, reportFiles } = await readCompare(args, folder, signal);
    const comparison = await compare({ ...options, onProgress, signal, cleanUpSignal });
    status.end();
    for (const file of reportFiles) await writeFile(file, comparisonRenderer(file)(comparison));
    const colours = process.stdout.isTTY && process.stdout.hasColors();
    const width = process.stdout.isTTY ? Math.min(process.stdout.columns, 120) : 100;
    await new Promise((resolve) =>
      process.stdout.write(renderTerminal(comparison, { colours, width }), resolve),
    );
    process.exitCode = interruption.status() ?? exitStatus(comparison);
  } catch (error) {
    throw asArgumentError(error);
  } finally {
    status.end();
    await rm(folder, { recursive: true, force: true });
    interruption.release();
  }
  // A request that was interrupted may still be under way.
  if (signal.aborted) process.exit();
}
