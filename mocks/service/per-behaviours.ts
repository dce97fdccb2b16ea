import { type Behaviours, usualBehaviours } from '../../interface/silent.ts';

/** Builds a value from behaviours once for each; the usual ones have `usual`. */
export function perBehaviours<Value>(
  usual: Value,
  build: (behaviours: Behaviours) => Value,
): (behaviours: Behaviours) => Value {
  const built = new WeakMap<Behaviours, Value>();
  return (behaviours) => {
    if (behaviours === usualBehaviours) return usual;
    const known = built.get(behaviours) ?? build(behaviours);
    built.set(behaviours, known);
    return known;
  };
}
