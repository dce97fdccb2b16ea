import { type Fetch, type Mutant, type OperationName, onOperation, type Step } from './mutant.ts';

const scheme = 'Bearer '.length;

/** Careless comparisons, by the near key that each accepts. */
const comparisons: Readonly<
  Record<string, { words: string; accepts: (given: string, right: string) => boolean }>
> = {
  short: {
    words: 'accepts the beginning of the key',
    accepts: (given, right) => right.startsWith(given),
  },
  long: {
    words: 'ignores characters behind the key',
    accepts: (given, right) => given.startsWith(right),
  },
  similar: {
    words: "ignores the key's letter case",
    accepts: (given, right) => given.toLowerCase() === right.toLowerCase(),
  },
  ends: {
    words: 'compares both ends of the key',
    accepts: same((key) => `${key.slice(0, 2)} ${key.slice(-2)} ${key.length}`),
  },
  'all-but-first': {
    words: "ignores the key's first character",
    accepts: same((key) => key.slice(1)),
  },
  'all-but-last': {
    words: "ignores the key's last character",
    accepts: same((key) => key.slice(0, -1)),
  },
  'without-punctuation': {
    words: 'ignores punctuation in the key',
    accepts: same((key) => key.replace(/[^a-z\d]/gi, '')),
  },
};

/** Compares what is left of two keys. */
function same(rest: (key: string) => string) {
  return (given: string, right: string): boolean =>
    rest(given.slice(scheme)) === rest(right.slice(scheme));
}

/** Mutants of authentication. */
export const authenticationMutants: Readonly<Record<string, Mutant>> = {
  'auth-create-accepts-none': {
    description: 'Creating a stream accepts a request without a key.',
    make: accept('create', isMissing),
  },
  'auth-create-accepts-empty': {
    description: 'Creating a stream accepts an empty key.',
    make: accept('create', isEmpty),
  },
  'auth-create-accepts-wrong': {
    description: 'Creating a stream accepts any key.',
    make: accept('create', isOther),
  },
  'auth-record-accepts-none': {
    description: 'Switching recording accepts a request without a key.',
    make: accept('record', isMissing),
  },
  'auth-record-accepts-empty': {
    description: 'Switching recording accepts an empty key.',
    make: accept('record', isEmpty),
  },
  'auth-record-accepts-wrong': {
    description: 'Switching recording accepts any key.',
    make: accept('record', isOther),
  },
  'auth-list-accepts-none': {
    description: 'Listing recorded sessions accepts a request without a key.',
    make: accept('list', isMissing),
  },
  'auth-list-accepts-empty': {
    description: 'Listing recorded sessions accepts an empty key.',
    make: accept('list', isEmpty),
  },
  'auth-list-accepts-wrong': {
    description: 'Listing recorded sessions accepts any key.',
    make: accept('list', isOther),
  },
  ...acceptNear('record', 'Switching recording'),
  ...acceptNear('list', 'Listing recorded sessions'),
  'auth-create-refuses-and-creates': {
    description: 'A creation is refused for its key, but still creates a stream.',
    make: afterRefusal('create', async (refusal, retry) => {
      await retry();
      return refusal;
    }),
  },
  'auth-refuses-and-switches': {
    description: 'A request to switch recording is refused for its key, but still switches it.',
    make: afterRefusal('record', async (refusal, retry) => {
      await retry();
      return refusal;
    }),
  },
};

function acceptNear(name: OperationName, operation: string): Record<string, Mutant> {
  return Object.fromEntries(
    Object.entries(comparisons).map(([kind, { words, accepts }]) => [
      `auth-${name}-accepts-${kind}`,
      {
        description: `${operation} ${words}.`,
        make: accept(
          name,
          (given, right) =>
            given !== null && !isEmpty(given) && given !== right && accepts(given, right),
        ),
      },
    ]),
  );
}

function isMissing(credential: string | null): boolean {
  return credential === null;
}

function isEmpty(credential: string | null): boolean {
  return credential !== null && /^bearer\s*$/i.test(credential);
}

function isOther(credential: string | null): boolean {
  return !isMissing(credential) && !isEmpty(credential);
}

function accept(
  name: OperationName,
  accepts: (credential: string | null, right: string) => boolean,
): Mutant['make'] {
  return afterRefusal(name, (refusal, retry, credential, right) =>
    accepts(credential, right) ? retry() : Promise.resolve(refusal),
  );
}

/** Handles requests that are refused for their key; `retry` sends one again with the last right key. */
function afterRefusal(
  name: OperationName,
  handle: (
    refusal: Response,
    retry: () => Promise<Response>,
    credential: string | null,
    right: string,
  ) => Promise<Response>,
): Mutant['make'] {
  return (next, applied) => {
    let right: string | null = null;
    const remember: Fetch = async (request) => {
      const response = await next(request);
      if (response.ok) right = request.headers.get('authorization') ?? right;
      return response;
    };
    const handleStep = async ({ request }: Step): Promise<Response> => {
      const again = request.clone();
      const response = await remember(request);
      // The mock accepts a near key such as `test-…` as another world, which has no such stream.
      if (![401, 404].includes(response.status) || right === null) return response;
      again.headers.set('authorization', right);
      const retry = (): Promise<Response> => {
        applied();
        return next(again);
      };
      return handle(response, retry, request.headers.get('authorization'), right);
    };
    return onOperation(name, () => handleStep)(remember, applied);
  };
}
