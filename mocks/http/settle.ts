/*
 * Most requests wait for nothing. The promises of a chain of async functions would be a third of what they cost, so what
 * need not wait is done at once.
 */

/** Continues with a value, at once unless it has to be waited for. */
export function andThen<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Runs what may have to wait. If it throws or rejects, `recover` makes the value from the exception. */
export function orElse<Value>(
  run: () => Value | Promise<Value>,
  recover: (exception: Error) => Value,
): Value | Promise<Value> {
  try {
    const value = run();
    return value instanceof Promise ? value.catch(recover) : value;
  } catch (exception) {
    return recover(exception as Error);
  }
}
