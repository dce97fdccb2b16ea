/** A value of JSON as text, such as an id. `String` throws for an object that has its own `toString`. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A text as JSON; `undefined` where it is not JSON. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
