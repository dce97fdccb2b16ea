// MSW 3 requires Node 22.12, because it uses one function that Node 20 lacks.
Promise.withResolvers ??= <Value>() => {
  const parts = {} as PromiseWithResolvers<Value>;
  const promise = new Promise<Value>((resolve, reject) =>
    Object.assign(parts, { resolve, reject }),
  );
  return Object.assign(parts, { promise });
};
