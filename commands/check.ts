import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderProgress, renderTerminal } from '../conformance/report/terminal/terminal.ts';
import { describeDuration } from '../conformance/report/text/wording.ts';
import { exitStatus } from '../conformance/run/verdict.ts';
import { run } from '../conformance/run.ts';
import { asArgumentError } from './arguments.ts';
import { readCheck } from './check-options.ts';
import { reportToGitHub } from './github.ts';
import { listenForInterruption } from './interruption.ts';
import { writeReports } from './report-files.ts';
import { createStatusLine } from './status-line.ts';

/** `livestream-mock check`: judges a target. @throws ArgumentError */
export async function checkCommand(args: string[]): Promise<void> {
  // If the process ends before the verdict is written, it must not exit with 0.
  process.exitCode = 3;
  const interruption = listenForInterruption();
  const { signal, cleanUpSignal } = interruption;
  const status = createStatusLine(process.stderr);
  const onProgress = (done: number, total: number, id: string): void =>
    status.show(done === total ? '' : renderProgress(done, total, id));
  const folder = await mkdtemp(join(tmpdir(), 'livestream-mock-'));
  try {
    const { runOptions, reportFiles, detail } = await readCheck(args, folder, signal);
    const { waitFor = 0, baseUrl } = runOptions;
    if (waitFor > 0) status.show(`waiting up to ${describeDuration(waitFor)} for ${baseUrl}`);
    const report = await run({ ...runOptions, onProgress, signal, cleanUpSignal });
    await writeReports(report, reportFiles);
    const annotations = await reportToGitHub(report, process.env);
    const look = { ...lookOf(process.stdout), detail };
    await write(renderTerminal(report, look) + annotations);
    process.exitCode = interruption.status() ?? exitStatus(report);
  } catch (error) {
    throw asArgumentError(error);
  } finally {
    status.end();
    await rm(folder, { recursive: true, force: true });
    interruption.release();
  }
  // A check that was interrupted may still wait for a response.
  if (signal.aborted) process.exit();
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Colours are written only to terminals; `NO_COLOR` and `FORCE_COLOR` override. */
function lookOf(stream: NodeJS.WriteStream): { colours: boolean; width?: number } {
  if (!stream.isTTY) return { colours: false };
  return { colours: stream.hasColors(), width: Math.min(stream.columns, 100) };
}
