import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    nightly?: true;
  }
}

/** Chooses what a test does at night and by day. `npm run nightly` also runs files that use this. */
export function byNight<Value>(night: Value, day: Value): Value {
  return inject('nightly') === true ? night : day;
}
