import {
  ask,
  type JsonObject,
  type Mutant,
  onOperation,
  readBody,
  refuse,
  rewriteBody,
  rewriteJson,
  rewriteResponse,
  type Step,
} from './mutant.ts';
import { rewriteHistory } from './record-history.ts';

/** Mutants of switching recording. */
export const recordMutants: Readonly<Record<string, Mutant>> = {
  'record-answers-200': {
    description: 'Switching recording answers with status 200.',
    make: rewriteResponse('record', ({ ok }) => (ok ? new Response(null) : undefined)),
  },
  'record-refuses-off': {
    description: 'Turning recording off is refused.',
    make: onOperation('record', () => async (step) => {
      const { record } = await readBody(step.request);
      if (record !== false) return step.next(step.request);
      step.applied();
      return refuse(400, 'record: recording cannot be turned off');
    }),
  },
  'record-answers-with-body': {
    description: 'Switching recording answers with the stream as its body.',
    make: rewriteResponse('record', ({ ok }, { request, next }) =>
      ok ? next(ask(request, 'GET', '.')) : undefined,
    ),
  },
  'record-refuses-repetition': {
    description: 'A value that a stream already has is refused.',
    make: onOperation('record', () => {
      const values = new Map<string, unknown>();
      return async ({ request, id, next, applied }) => {
        const { record } = await readBody(request);
        if (record === (values.get(id) ?? false)) {
          applied();
          return refuse(409, `record: is ${record} already`);
        }
        const response = await next(request);
        if (response.ok) values.set(id, record);
        return response;
      };
    }),
  },
  'record-refuses-on-after-off': {
    description: 'Recording that was turned off cannot be turned on again.',
    make: onceTurnedOff(() => refuse(400, 'record: recording was turned off')),
  },
  'record-turns-on-once': {
    description: 'Turning recording on again, after it was turned off, has no effect.',
    make: onceTurnedOff(() => new Response(null, { status: 204 })),
  },
  'record-ignores-on': {
    description: 'Turning recording on has no effect.',
    make: ignore(true),
  },
  'record-ignores-off': {
    description: 'Turning recording off has no effect.',
    make: ignore(false),
  },
  'record-ignores-off-after-a-session': {
    description: 'Turning recording off has no effect once a stream has a recorded session.',
    make: onOperation('record', () => async (step) => {
      const { record } = await readBody(step.request);
      const list = await step.next(ask(step.request, 'GET', 'sessions?record=1'));
      const none = !list.ok || (await list.text()) === '[]';
      if (record !== false || none) return step.next(step.request);
      step.applied();
      return new Response(null, { status: 204 });
    }),
  },
  'record-off-unrecords-live-session': {
    description: 'Switching recording while live takes the live session off the list.',
    make: rewriteHistory('live', () => undefined),
  },
  'record-on-records-live-session': {
    description: 'Switching recording while live makes the live session recorded.',
    make: rewriteHistory('live', (session) => ({
      ...session,
      record: true,
      recordingStatus: 'waiting',
    })),
  },
  'record-off-unrecords-sessions': {
    description: 'Turning recording off removes earlier sessions from the list.',
    make: rewriteHistory({ record: false }, () => undefined),
  },
  'record-on-records-earlier-sessions': {
    description: 'Turning recording on makes earlier sessions recorded.',
    make: rewriteHistory({ record: true }, (session) => ({
      ...session,
      record: true,
      recordingStatus: 'waiting',
    })),
  },
  'record-switches-every-stream': {
    description: 'Turning recording on turns it on for every stream.',
    make: switchEvery(true),
  },
  'record-off-switches-every-stream': {
    description: 'Turning recording off turns it off for every stream.',
    make: switchEvery(false),
  },
  'record-accepts-session': {
    description: 'Changing the record value of a session answers with 204.',
    make: rewriteResponse('record', async ({ status }, step) =>
      status === 400 && (await findSession(step)) ? new Response(null, { status: 204 }) : undefined,
    ),
  },
  'record-changes-session-silently': {
    description: 'Changing the record value of a session is refused, but the session is changed.',
    make: rewriteHistory('session', () => undefined),
  },
  'record-changes-parent-of-session': {
    description: 'Changing the record value of a session is refused, but switches its stream.',
    make: rewriteResponse('record', async (response, step) => {
      const session = response.ok ? undefined : await findSession(step);
      if (session === undefined) return undefined;
      const path = step.request.url.replace(step.id, String(session['parentId']));
      await step.next(ask(step.request, 'PATCH', path, await readBody(step.request)));
      return response;
    }),
  },
  'record-takes-nothing-for-false': {
    description: 'A body without record turns recording off.',
    make: rewriteBody('record', (body) =>
      body['record'] === undefined ? { record: false } : undefined,
    ),
  },
  'record-takes-truthy-values': {
    description: 'A record that is not a boolean is converted to one.',
    make: rewriteBody('record', ({ record }) =>
      record === undefined || typeof record === 'boolean' ? undefined : { record: Boolean(record) },
    ),
  },
  'record-takes-text': {
    description: 'The strings "true" and "false" are accepted as booleans.',
    make: rewriteBody('record', ({ record }) =>
      record === 'true' || record === 'false' ? { record: record === 'true' } : undefined,
    ),
  },
  'record-takes-null': {
    description: 'A record of null turns recording off.',
    make: rewriteBody('record', ({ record }) => (record === null ? { record: false } : undefined)),
  },
  'record-accepts-unknown-stream': {
    description: 'Switching recording of a stream that does not exist answers with status 204.',
    make: rewriteResponse('record', ({ status }) =>
      status === 404 ? new Response(null, { status: 204 }) : undefined,
    ),
  },
  'record-refuses-and-changes': {
    description: 'A record that is not a boolean is stored and then refused.',
    make: rewriteResponse('record', async (response, { request, next }) => {
      const { record } = await readBody(request);
      if (response.ok || record === undefined) return undefined;
      await next(ask(request, 'PATCH', request.url, { record: Boolean(record) }));
      return response;
    }),
  },
  'record-takes-bare-boolean': {
    description: 'A body of true or false, alone or in an array, switches recording.',
    make: takeBody((body) => [body].flat()[0]),
  },
  'record-takes-any-text': {
    description: 'A body that is a text turns recording on.',
    make: takeBody((body) => (typeof body === 'string' ? true : undefined)),
  },
  'record-renames-stream': {
    description: 'A stream whose recording was switched shows another name.',
    make: onceSwitched(({ name }) => ({ name: `${name} (recorded)` })),
  },
  'record-drops-profiles': {
    description: 'A stream whose recording was switched shows no profiles.',
    make: onceSwitched(() => ({ profiles: [] })),
  },
  'record-renews-key': {
    description: 'A stream whose recording was switched shows another streamKey.',
    make: onceSwitched(({ streamKey }) => ({
      streamKey: [...String(streamKey)].reverse().join(''),
    })),
  },
  'record-renews-date': {
    description: 'A stream whose recording was switched shows a later createdAt.',
    make: onceSwitched(({ createdAt }) => ({ createdAt: Number(createdAt) + 1000 })),
  },
  'record-changes-by-general-patch': {
    description: 'PATCH /stream/{id} switches recording among other fields.',
    make: onOperation('write', () => switchByWriting(() => true)),
  },
  'record-changes-by-bare-patch': {
    description: 'PATCH /stream/{id} switches recording, and refuses a name.',
    make: onOperation('write', () => switchByWriting(({ name }) => name === undefined)),
  },
  'record-changes-by-put': {
    description: 'PUT /stream/{id} switches recording among other fields.',
    make: onOperation('replace', () => switchByWriting(({ name }) => name !== undefined)),
  },
};

function ignore(ignored: boolean): Mutant['make'] {
  return onOperation('record', () => async (step) => {
    const { record } = await readBody(step.request);
    if (record !== ignored || !(await isStream(step))) return step.next(step.request);
    step.applied();
    return new Response(null, { status: 204 });
  });
}

/** Answers requests that turn recording on again, after it was turned off. */
function onceTurnedOff(answer: () => Response): Mutant['make'] {
  return onOperation('record', () => {
    const turnedOff = new Set<string>();
    return async ({ request, id, next, applied }) => {
      const { record } = await readBody(request);
      if (record === true && turnedOff.has(id)) {
        applied();
        return answer();
      }
      const response = await next(request);
      if (response.ok && record === false) turnedOff.add(id);
      return response;
    };
  });
}

/** Switches recording by a body that is no object, to the value that `read` finds in it. */
function takeBody(read: (body: unknown) => unknown): Mutant['make'] {
  return onOperation('record', () => async ({ request, next, applied }) => {
    const body: unknown = await request
      .clone()
      .json()
      .catch(() => undefined);
    const record = read(body);
    if (typeof record !== 'boolean') return next(request);
    applied();
    return next(ask(request, 'PATCH', request.url, { record }));
  });
}

/** Changes fields of retrieved streams whose recording was switched. */
function onceSwitched(change: (stream: JsonObject) => JsonObject): Mutant['make'] {
  return (next, applied) => {
    const switched = new Set<unknown>();
    const noted = rewriteResponse('record', ({ ok }, { id }) => {
      if (ok) switched.add(id);
      return undefined;
    })(next, applied);
    return rewriteJson('retrieve', () => (value) => {
      const stream = value as JsonObject;
      return switched.has(stream['id']) ? { ...stream, ...change(stream) } : undefined;
    })(noted, applied);
  };
}

/** Repeats a switch of recording on every other stream of the key. */
function switchEvery(value: boolean): Mutant['make'] {
  return rewriteResponse('record', async (response, { request, id, next }) => {
    const body = await readBody(request);
    if (!response.ok || body['record'] !== value) return undefined;
    const list = await next(ask(request, 'GET', '../../stream?limit=1000'));
    const others = ((await list.json()) as JsonObject[]).filter((stream) => stream['id'] !== id);
    await Promise.all(
      others.map((stream) =>
        next(ask(request, 'PATCH', request.url.replace(id, String(stream['id'])), body)),
      ),
    );
    return response;
  });
}

function switchByWriting(
  accepts: (body: JsonObject) => boolean,
): (step: Step) => Promise<Response> {
  return async ({ request, next, applied }) => {
    const body = await readBody(request);
    if (typeof body['record'] !== 'boolean' || !accepts(body)) return next(request);
    applied();
    return next(ask(request, 'PATCH', `${request.url}/record`, { record: body['record'] }));
  };
}

async function isStream({ request, next }: Step): Promise<boolean> {
  const response = await next(ask(request, 'GET', '.'));
  return response.ok && !('parentId' in ((await response.json()) as JsonObject));
}

/** The session with the id in the request. */
async function findSession({ request, id, next }: Step): Promise<JsonObject | undefined> {
  const response = await next(ask(request, 'GET', `../../session/${id}`));
  return response.ok ? ((await response.json()) as JsonObject) : undefined;
}
