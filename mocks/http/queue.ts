/** Runs a task once those before it have ended, well or badly. */
export type Queue = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Makes a queue that is empty. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.then(
      () => {},
      () => {},
    );
    return result;
  };
}
