import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    nightly?: true;
  }
}

/** What a test does at night, and what by day. A file that asks runs in `npm run nightly` too. */
export function byNight<Value>(night: Value, day: Value): Value {
  return inject('nightly') === true ? night : day;
}
