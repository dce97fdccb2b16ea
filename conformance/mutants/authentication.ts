import { type Fetch, type Mutant, type OperationName, onOperation, type Step } from './mutant.ts';

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
  'auth-refuses-and-switches': {
    description: 'A request to switch recording is refused for its key, but switches it.',
    make: afterRefusal('record', async (refusal, retry) => {
      await retry();
      return refusal;
    }),
  },
};

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
  takes: (credential: string | null) => boolean,
): Mutant['make'] {
  return afterRefusal(name, (refusal, retry, credential) =>
    takes(credential) ? retry() : Promise.resolve(refusal),
  );
}

/** Answers what was refused for its key: `retry` sends it again with the last key that was good. */
function afterRefusal(
  name: OperationName,
  answer: (
    refusal: Response,
    retry: () => Promise<Response>,
    credential: string | null,
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
      if (response.status !== 401 || accepted === null) return response;
      again.headers.set('authorization', accepted);
      const retry = (): Promise<Response> => {
        applied();
        return next(again);
      };
      return answer(response, retry, request.headers.get('authorization'));
    };
    return onOperation(name, () => handle)(remember, applied);
  };
}
