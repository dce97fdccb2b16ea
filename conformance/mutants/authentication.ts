import { type Fetch, type Mutant, type OperationName, onOperation, type Step } from './mutant.ts';

/** What a careless comparison takes for the right key, by what the suite calls it. */
const careless: Readonly<
  Record<string, { words: string; takes: (given: string, right: string) => boolean }>
> = {
  short: {
    words: 'compares as much of the key as was sent',
    takes: (given, right) => right.startsWith(given),
  },
  long: {
    words: 'ignores what follows the key',
    takes: (given, right) => given.startsWith(right),
  },
  similar: {
    words: "ignores the key's letter case",
    takes: (given, right) => given.toLowerCase() === right.toLowerCase(),
  },
};

/** Faults in authentication. */
export const authenticationMutants: Readonly<Record<string, Mutant>> = {
  'auth-create-accepts-none': {
    description: 'Creating a stream takes no key for the last one that was accepted.',
    make: accept('create', isMissing),
  },
  'auth-create-accepts-empty': {
    description: 'Creating a stream takes an empty key for the last one that was accepted.',
    make: accept('create', isEmpty),
  },
  'auth-create-accepts-wrong': {
    description: 'Creating a stream takes any key.',
    make: accept('create', isOther),
  },
  'auth-record-accepts-none': {
    description: 'Switching recording takes no key for the last one that was accepted.',
    make: accept('record', isMissing),
  },
  'auth-record-accepts-empty': {
    description: 'Switching recording takes an empty key for the last one that was accepted.',
    make: accept('record', isEmpty),
  },
  'auth-record-accepts-wrong': {
    description: 'Switching recording takes any key.',
    make: accept('record', isOther),
  },
  'auth-list-accepts-none': {
    description: 'Listing recorded sessions takes no key for the last one that was accepted.',
    make: accept('list', isMissing),
  },
  'auth-list-accepts-empty': {
    description: 'Listing recorded sessions takes an empty key for the last one that was accepted.',
    make: accept('list', isEmpty),
  },
  'auth-list-accepts-wrong': {
    description: 'Listing recorded sessions takes any key.',
    make: accept('list', isOther),
  },
  ...acceptNear('record', 'Switching recording'),
  ...acceptNear('list', 'Listing recorded sessions'),
  'auth-refuses-and-switches': {
    description: 'A request to switch recording is refused for its key, but switches it.',
    make: afterRefusal('record', async (refusal, retry) => {
      await retry();
      return refusal;
    }),
  },
};

function acceptNear(name: OperationName, operation: string): Record<string, Mutant> {
  return Object.fromEntries(
    Object.entries(careless).map(([kind, { words, takes }]) => [
      `auth-${name}-accepts-${kind}`,
      {
        description: `${operation} ${words}.`,
        make: accept(
          name,
          (given, right) =>
            given !== null && !isEmpty(given) && given !== right && takes(given, right),
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
  takes: (credential: string | null, right: string) => boolean,
): Mutant['make'] {
  return afterRefusal(name, (refusal, retry, credential, right) =>
    takes(credential, right) ? retry() : Promise.resolve(refusal),
  );
}

/** Answers what was refused for its key: `retry` sends it again with the last key that was good. */
function afterRefusal(
  name: OperationName,
  answer: (
    refusal: Response,
    retry: () => Promise<Response>,
    credential: string | null,
    right: string,
  ) => Promise<Response>,
): Mutant['make'] {
  return (next, applied) => {
    let accepted: string | null = null;
    const remember: Fetch = async (request) => {
      const response = await next(request);
      if (response.ok) accepted = request.headers.get('authorization') ?? accepted;
      return response;
    };
    const handle = async ({ request }: Step): Promise<Response> => {
      const again = request.clone();
      const response = await remember(request);
      // Of a near key of the open form the mock knows no such stream.
      if (![401, 404].includes(response.status) || accepted === null) return response;
      again.headers.set('authorization', accepted);
      const retry = (): Promise<Response> => {
        applied();
        return next(again);
      };
      return answer(response, retry, request.headers.get('authorization'), accepted);
    };
    return onOperation(name, () => handle)(remember, applied);
  };
}
