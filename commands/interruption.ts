/** How far SIGINT and SIGTERM have interrupted a run. */
export interface Interruption {
  /** Aborted by the first of SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Aborted by the second. A third ends the process, as signals do. */
  readonly cleanUpSignal: AbortSignal;
  /** The exit status that names the first signal; `undefined` where none came. */
  readonly status: () => 130 | 143 | undefined;
  /** Stops listening, so that signals end the process again. */
  readonly release: () => void;
}

const statuses = { SIGINT: 130, SIGTERM: 143 } as const;

/** Listens for SIGINT and SIGTERM. */
export function listenForInterruption(): Interruption {
  const [first, second] = [new AbortController(), new AbortController()];
  let status: 130 | 143 | undefined;
  const listen = (name: NodeJS.Signals): void => {
    if (!first.signal.aborted) {
      status = statuses[name as keyof typeof statuses];
      process.stderr.write(`\n${name}: deleting what was created; once more to leave it there\n`);
      first.abort();
    } else {
      second.abort();
      release();
    }
  };
  const release = (): void => {
    for (const name of Object.keys(statuses)) process.off(name, listen);
  };
  for (const name of Object.keys(statuses)) process.on(name, listen);
  return {
    signal: first.signal,
    cleanUpSignal: second.signal,
    status: () => status,
    release,
  };
}
