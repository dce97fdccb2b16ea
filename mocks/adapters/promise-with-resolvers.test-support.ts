// MSW 3 asks for Node 22.12; of that, all that Node 20 lacks is this.
Promise.withResolvers ??= <Value>() => {
  const parts = {} as PromiseWithResolvers<Value>;
  const promise = new Promise<Value>((resolve, reject) =>
    Object.assign(parts, { resolve, reject }),
  );
  return Object.assign(parts, { promise });
};
