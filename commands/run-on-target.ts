import { setFlagsFromString } from 'node:v8';
import { type Ended, type InterruptibleRun, interruptible } from './interruptible-run.ts';
import type { OptionTable, OptionValues } from './options.ts';
import type { Command } from './process.ts';

const advice = 'deleting what was created; interrupt again to leave it there';

/** Runs a command that sends requests to a target and may be interrupted. */
export function onTarget<Table extends OptionTable>(
  options: Table,
  work: (values: OptionValues<Table>, run: InterruptibleRun) => Promise<Ended>,
): Command['run'] {
  const run = interruptible(options, advice, work);
  return (args, host) => {
    // By default, large responses leave hundreds of megabytes of garbage.
    if (host.ownsProcess) setFlagsFromString('--heap-growing-percent=30');
    return run(args, host);
  };
}
