import { renderProgress, renderTerminal } from '../conformance/report/terminal.ts';
import { describeDuration } from '../conformance/report/wording.ts';
import { exitStatus } from '../conformance/run/verdict.ts';
import { run } from '../conformance/run.ts';
import { readCheck } from './check-options.ts';
import { reportToGitHub } from './github.ts';
import { type CommandProcess, lookOf } from './process.ts';
import { writeReports } from './report-files.ts';
import { runOnTarget } from './run-on-target.ts';

/** `livestream-mock check`: judges a target. @throws ArgumentError */
export function checkCommand(args: string[], own: CommandProcess): Promise<number> {
  return runOnTarget(own, async (started) => {
    const { signal, cleanUpSignal, onFault, showProgress } = started;
    const { runOptions, reportFiles, detail } = await readCheck(args, started);
    const { waitFor = 0, baseUrl } = runOptions;
    if (waitFor > 0) showProgress(`waiting up to ${describeDuration(waitFor)} for ${baseUrl}`);
    const onProgress = (done: number, total: number, id: string): void =>
      showProgress(done === total ? '' : renderProgress(done, total, id));
    const report = await run({ ...runOptions, onProgress, signal, cleanUpSignal, onFault });
    await writeReports(report, reportFiles, own.stderr);
    const annotations = await reportToGitHub(report, own);
    const look = { ...lookOf(own.stdout, 100), detail };
    return { text: renderTerminal(report, look) + annotations, exitStatus: exitStatus(report) };
  });
}
