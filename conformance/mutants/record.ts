import type { Session, Stream } from '../../interface/types.ts';
import type { Rewrite } from '../../mocks/messages/client-request.ts';
import {
  emptyResponse,
  findStreamBy,
  on,
  type Route,
  refuse,
  rewriteJson,
  rewriteList,
  rewriteResponse,
  type Step,
  sendAs,
  together,
} from '../../mocks/variants/rewrite.ts';
import type { JsonObject } from '../../target/requests/read-response.ts';
import { breaks, type Mutants } from './mutant.ts';

/** Mutants of switching recording. */
export const recordMutants: Mutants = {
  'record-answers-200': breaks('RECORD-1', sendAs('record', { status: 200 })),
  'record-answers-with-body': breaks(
    'RECORD-3',
    rewriteResponse('record', ({ ok }, { ask }) => (ok ? ask('GET', '.') : undefined)),
  ),
  'record-refuses-off': breaks(
    'RECORD-2',
    insteadOfSwitch(({ body: { record } }) => record === false, refused),
  ),
  'record-refuses-repetition': breaks(
    'RECORD-4',
    insteadOfSwitch(
      async ({ body, read }) => (await read<Stream>('.'))?.record === body['record'],
      refused,
    ),
  ),
  'record-refuses-on-after-off': breaks('RECORD-4', insteadOfOnAgain(refused)),
  'record-toggles': breaks('RECORD-4', toggleRecord()),
  'record-toggles-unseen': breaks('RECORD-4', together(toggleRecord(), hideStreams())),
  'record-loses-every-fourth-switch': breaks('RECORD-4', (next) => {
    const switches = new Map<string, number>();
    return insteadOfSwitch(({ id }) => {
      const count = (switches.get(id) ?? 0) + 1;
      switches.set(id, count);
      return count % 4 === 0;
    }, ignored)(next);
  }),
  'record-turns-on-once': breaks('RECORD-18', insteadOfOnAgain(ignored)),
  'record-ignores-on': breaks(
    'RECORD-5',
    insteadOfSwitch((step) => switchesStream(step, true), ignored),
  ),
  'record-switches-later': breaks(
    'RECORD-5',
    together(
      on('record', async (step) => {
        const { request, body, ask } = step;
        if (!(await switchesStream(step, true)) && !(await switchesStream(step, false))) return;
        setTimeout(() => void ask('PATCH', request.url, body), 250);
        return ignored();
      }),
      rewriteJson('start', () => ({})),
    ),
  ),
  'record-ignores-on-while-live': breaks('RECORD-5', ignoreWhileLive(true)),
  'record-ignores-on-while-live-unseen': breaks(
    'RECORD-5',
    together(ignoreWhileLive(true), hideStreams()),
  ),
  'record-loses-on-when-session-ends': breaks('RECORD-5', loseSwitchAtEnd()),
  'record-ignores-off-while-live': breaks('RECORD-6', ignoreWhileLive(false)),
  'record-loses-off-when-session-ends-unseen': breaks(
    'RECORD-6',
    together(loseSwitchAtEnd(), hideStreams()),
  ),
  'record-ignores-off': breaks(
    'RECORD-6',
    insteadOfSwitch((step) => switchesStream(step, false), ignored),
  ),
  'record-ignores-off-after-a-session': breaks(
    'RECORD-6',
    insteadOfSwitch(
      async (step) => !step.body['record'] && (await sessionsOf(step, '?record=1')).length > 0,
      ignored,
    ),
  ),
  'record-off-unrecords-live-session': breaks(
    'RECORD-7',
    rewriteHistory(({ id, isActive }, to, step) => isActive && !to && id !== step.id, leftOut),
  ),
  'record-on-records-live-session': breaks(
    'RECORD-8',
    rewriteHistory(({ isActive }) => isActive, asRecorded),
  ),
  'record-off-unrecords-sessions': breaks(
    'RECORD-7',
    rewriteHistory(({ record }, to) => record && !to, leftOut),
  ),
  'record-off-cancels-processing': breaks('RECORD-7', cancelProcessing(leftOut)),
  'record-off-stops-processing': breaks(
    'RECORD-27',
    cancelProcessing((session) => ({
      ...session,
      recordingStatus: 'failed',
      recordingUrl: undefined,
      mp4URL: undefined,
    })),
  ),
  'record-on-records-earlier-sessions': breaks(
    'RECORD-8',
    rewriteHistory(({ record }, to) => !record && to, asRecorded),
  ),
  'record-changes-session-silently': breaks(
    'RECORD-11',
    rewriteHistory(({ id, record }, to, step) => id === step.id && record !== to, leftOut),
  ),
  'record-switches-every-stream': breaks('RECORD-9', switchEvery(true)),
  'record-off-switches-every-stream': breaks('RECORD-9', switchEvery(false)),
  'record-switches-namesakes': breaks(
    'RECORD-9',
    rewriteResponse('record', async ({ ok }, { id, body, read, ask }) => {
      if (!ok) return undefined;
      const streams = (await read<Stream[]>('../../stream')) ?? [];
      const name = streams.find((stream) => stream.id === id)?.name;
      for (const stream of streams) {
        if (stream.name === name) await ask('PATCH', `../${stream.id}/record`, body);
      }
      return undefined;
    }),
  ),
  'record-accepts-session': breaks(
    'RECORD-10',
    rewriteResponse('record', async ({ status }, step) =>
      status === 400 && (await findSession(step)) ? emptyResponse(204) : undefined,
    ),
  ),
  'record-accepts-live-session': breaks(
    'RECORD-10',
    acceptSession(({ isActive }) => isActive),
  ),
  'record-accepts-unrecorded-session': breaks(
    'RECORD-10',
    acceptSession(({ isActive, record }) => !isActive && !record),
  ),
  'record-refuses-and-unrecords-live-session': breaks(
    'RECORD-11',
    rewriteHistory(({ id, isActive }, to, step) => id === step.id && isActive && !to, leftOut),
  ),
  'record-refuses-and-records-session': breaks(
    'RECORD-11',
    rewriteHistory(({ id, record }, to, step) => id === step.id && !record && to, asRecorded),
  ),
  'record-accepts-what-is-no-id': breaks(
    'RECORD-14',
    rewriteResponse('record', ({ status }, { id }) =>
      status === 404 && !id.includes('-') ? emptyResponse(204) : undefined,
    ),
  ),
  'record-accepts-unknown-stream': breaks(
    'RECORD-14',
    rewriteResponse('record', ({ status }) => (status === 404 ? emptyResponse(204) : undefined)),
  ),
  'record-changes-parent-of-session': breaks('RECORD-11', switchParent([true, false])),
  'record-turns-on-parent-of-session': breaks('RECORD-11', switchParent([true])),
  'record-changes-parent-of-session-unseen': breaks(
    'RECORD-11',
    together(switchParent([true, false]), hideStreams()),
  ),
  'record-refuses-and-changes': breaks('RECORD-15', refuseAndChange()),
  'record-refuses-and-changes-unseen': breaks(
    'RECORD-15',
    together(refuseAndChange(), hideStreams()),
  ),
  'record-refuses-and-turns-on-unseen': breaks(
    'RECORD-15',
    together(refuseAndChange(Boolean), hideStreams()),
  ),
  'record-takes-nothing-for-false': breaks(
    'RECORD-12',
    readRecord(({ record }) => (record === undefined ? false : undefined)),
  ),
  'record-takes-truthy-values': breaks(
    'RECORD-13',
    readRecord(({ record }) => (record === undefined ? undefined : Boolean(record))),
  ),
  'record-takes-text': breaks(
    'RECORD-21',
    readRecord(({ record }) => ({ true: true, false: false })[String(record)]),
  ),
  'record-takes-yes-and-no': breaks('RECORD-21', readYesAndNo()),
  'record-takes-null': breaks(
    'RECORD-13',
    readRecord(({ record }) => (record === null ? false : undefined)),
  ),
  'record-takes-any-text-for-true': breaks(
    'RECORD-13',
    readRecord(({ record }) =>
      typeof record === 'string' && record !== 'false' && record !== '' ? true : undefined,
    ),
  ),
  'record-takes-empty-text': breaks(
    'RECORD-13',
    readRecord(({ record }) => (record === '' ? false : undefined)),
  ),
  'record-takes-positive-numbers': breaks(
    'RECORD-13',
    readRecord(({ record }) => (typeof record === 'number' && record > 0 ? true : undefined)),
  ),
  'record-takes-arrays': breaks(
    'RECORD-13',
    readRecord(({ record }) => (Array.isArray(record) ? true : undefined)),
  ),
  'record-takes-look-alikes-without-effect': breaks(
    'RECORD-22',
    insteadOfSwitch(
      ({ body: { record } }) => ['true', 'false', 1, 0].includes(record as string | number),
      ignored,
    ),
  ),
  'record-ignores-letter-case-of-field': breaks(
    'RECORD-23',
    readRecord((body) => Object.entries(body).find(([key]) => key.toLowerCase() === 'record')?.[1]),
  ),
  'record-takes-bare-boolean': breaks(
    'RECORD-20',
    readRecord((_, { json }) => [json].flat()[0]),
  ),
  'record-takes-any-text': breaks(
    'RECORD-20',
    readRecord((_, { json }) => (typeof json === 'string' ? true : undefined)),
  ),
  'record-takes-first-element': breaks(
    'RECORD-20',
    readRecord((_, { json }) => Array.isArray(json) && Object(json[0])['record']),
  ),
  'record-toggles-without-body': breaks(
    'RECORD-20',
    on('record', async ({ request, text, ask, read }) => {
      if (text !== '') return undefined;
      const stream = await read<Stream>('.');
      return stream && ask('PATCH', request.url, { record: !stream.record });
    }),
  ),
  'record-ignores-text-after-body': breaks(
    'RECORD-24',
    readRecord((_, { text }) => {
      const [, record] = /^\{"record":(true|false)\}./.exec(text) ?? [];
      return record === undefined ? undefined : record === 'true';
    }),
  ),
  'record-ignores-letters-after-id': breaks('RECORD-25', switchByOtherName(/^(.{36})[a-z]+$/)),
  'record-ignores-digits-after-id': breaks('RECORD-25', switchByOtherName(/^(.{36})\d+$/)),
  'record-finds-beginnings-of-ids': breaks('RECORD-25', switchByBeginning(9)),
  'record-ignores-last-character-of-id': breaks('RECORD-25', switchByBeginning(35)),
  'record-takes-playback-id': breaks('RECORD-26', switchByField('playbackId')),
  'record-takes-stream-key': breaks('RECORD-26', switchByField('streamKey')),
  'record-becomes-default': breaks('RECORD-29', rememberAsDefault([true, false])),
  'record-on-becomes-default': breaks('RECORD-29', rememberAsDefault([true])),
  'record-renames-stream': breaks(
    'RECORD-19',
    showRecorded('name', (name) => `${name} (recorded)`),
  ),
  'record-drops-profiles': breaks(
    'RECORD-19',
    showRecorded('profiles', () => []),
  ),
  'record-renews-key': breaks(
    'RECORD-19',
    showRecorded('streamKey', (key) => [...key].reverse().join('')),
  ),
  'record-renews-date': breaks(
    'RECORD-19',
    showRecorded('createdAt', (time) => time + 1000),
  ),
  'record-changes-by-general-patch': breaks(
    'RECORD-16',
    switchByWriting('update', () => true),
  ),
  'record-changes-by-bare-patch': breaks(
    'RECORD-16',
    switchByWriting('update', ({ name }) => name === undefined),
  ),
  'record-changes-by-put': breaks(
    'RECORD-16',
    switchByWriting('replace', ({ name }) => name !== undefined),
  ),
};

/** Does not offer to retrieve a stream. */
function hideStreams(): Rewrite {
  return rewriteResponse('retrieve', () => refuse(404, 'not found'));
}

/** Switches recording to the opposite of what it was, whatever a request asks for. */
function toggleRecord(): Rewrite {
  return on('record', async ({ request, body, ask, read }) => {
    const stream = await read<Stream>('.');
    const isSwitch = stream !== undefined && typeof body['record'] === 'boolean';
    return isSwitch ? ask('PATCH', request.url, { record: !stream.record }) : undefined;
  });
}

/** Refuses to switch a session, and switches its stream to one of some values. */
function switchParent(values: readonly unknown[]): Rewrite {
  return rewriteResponse('record', async (response, step) => {
    const session = response.ok ? undefined : await findSession(step);
    if (session === undefined || !values.includes(step.body['record'])) return undefined;
    await step.ask('PATCH', `../${session.parentId}/record`, step.body);
    return response;
  });
}

/** Refuses a record that is not a boolean, and takes it for one all the same. */
function refuseAndChange(isTaken: (record: unknown) => boolean = () => true): Rewrite {
  return rewriteResponse('record', async (response, { request, body: { record }, ask }) => {
    if (response.ok || record === undefined || !isTaken(record)) return undefined;
    await ask('PATCH', request.url, { record: Boolean(record) });
    return response;
  });
}

/** Accepts requests to switch some sessions by their ids, without effect. */
function acceptSession(isAccepted: (session: Session) => boolean): Rewrite {
  return rewriteResponse('record', async ({ ok }, step) => {
    const session = ok ? undefined : await findSession(step);
    return session !== undefined && isAccepted(session) ? emptyResponse(204) : undefined;
  });
}

function refused(): Response {
  return refuse(409, 'record: cannot be switched');
}

function ignored(): Response {
  return emptyResponse(204);
}

/** Responds to matching requests to switch recording instead of the mock. */
function insteadOfSwitch(
  isSuch: (step: Step) => boolean | Promise<boolean>,
  respond: () => Response,
): Rewrite {
  return on('record', async (step) => ((await isSuch(step)) ? respond() : undefined));
}

/** Responds instead of the mock to requests to turn recording on after it was turned off. */
function insteadOfOnAgain(respond: () => Response): Rewrite {
  return (next) => {
    const turnedOff = new Set<string>();
    return insteadOfSwitch(({ id, body: { record } }) => {
      if (record === false) turnedOff.add(id);
      return record === true && turnedOff.has(id);
    }, respond)(next);
  };
}

/**
 * Changes existing sessions when a request switches recording of their stream, or their own. From then on, lists
 * have the result of `change` for each; if it is `undefined`, the session is left out.
 */
function rewriteHistory(
  isTouched: (session: Session, to: boolean, step: Step) => boolean,
  change: (session: Session) => object | undefined,
): Rewrite {
  return (next) => {
    const touched = new Map<string, Session>();
    const touching = on('record', async (step) => {
      const { record: to } = step.body;
      const ownSession = await findSession(step);
      for (const session of ownSession === undefined ? await sessionsOf(step) : [ownSession]) {
        if (typeof to === 'boolean' && isTouched(session, to, step))
          touched.set(session.id, session);
      }
      return undefined;
    });
    const listing = rewriteList((sessions, { id }) => {
      const ofStream = [...touched.values()].filter(({ parentId }) => parentId === id);
      const untouched = sessions.filter((session) => !touched.has(session.id));
      return [...ofStream.map(change).filter((session) => session !== undefined), ...untouched];
    });
    return together(touching, listing)(next);
  };
}

/** Changes recorded sessions that no list has shown yet when recording of their stream is turned off. */
function cancelProcessing(change: (session: Session) => object | undefined): Rewrite {
  return (next) => {
    const shown = new Set<string>();
    return together(
      rewriteHistory(({ id, record }, to) => record && !to && !shown.has(id), change),
      rewriteList((sessions) => {
        for (const { id } of sessions) shown.add(id);
        return sessions;
      }),
    )(next);
  };
}

function leftOut(): undefined {}

function asRecorded(session: Session): object {
  return { ...session, record: true, recordingStatus: 'waiting' };
}

/** Repeats a switch of recording on every other stream of the key. */
function switchEvery(value: boolean): Rewrite {
  return rewriteResponse('record', async (response, { body, ask, read }) => {
    if (!response.ok || body['record'] !== value) return undefined;
    const streams = (await read<Stream[]>('../../stream?limit=1000')) ?? [];
    await Promise.all(streams.map(({ id }) => ask('PATCH', `../${id}/record`, body)));
    return response;
  });
}

/** Creates streams with the value that was last set for any stream, if it is one of some values. */
function rememberAsDefault(values: readonly unknown[]): Rewrite {
  return (next) => {
    let last: unknown;
    return together(
      on('record', ({ body: { record } }) => {
        if (values.includes(record)) last = record;
        return undefined;
      }),
      on('create', ({ request, body, ask }) =>
        last === undefined || 'record' in body || body['name'] === undefined
          ? undefined
          : ask('POST', request.url, { ...body, record: last }),
      ),
    )(next);
  };
}

/** Switches recording to a boolean that `read` finds in a body, if the mock finds none there. */
function readRecord(read: (body: JsonObject, step: Step) => unknown): Rewrite {
  return on('record', (step) => {
    const { request, body, ask } = step;
    const record = read(body, step);
    if (typeof record !== 'boolean' || typeof body['record'] === 'boolean') return undefined;
    return ask('PATCH', request.url, { record });
  });
}

/** Takes a record of "yes" or "no" for a boolean. */
export function readYesAndNo(): Rewrite {
  return readRecord(({ record }) => ({ yes: true, no: false })[String(record)]);
}

/** Switches recording by an id that a pattern finds in another one. */
function switchByOtherName(pattern: RegExp): Rewrite {
  return on('record', ({ id, body, ask }) => {
    const [, found] = pattern.exec(id) ?? [];
    return found === undefined ? undefined : ask('PATCH', `../${found}/record`, body);
  });
}

/** Switches recording by how an id begins, if that has enough characters. */
function switchByBeginning(least: number): Rewrite {
  return on('record', async ({ id, body, read, ask }) => {
    if (id.length < least) return undefined;
    const streams = (await read<Stream[]>('../../stream?limit=1000')) ?? [];
    const found = streams.find((stream) => stream.id !== id && stream.id.startsWith(id));
    return found && ask('PATCH', `../${found.id}/record`, body);
  });
}

/** Switches recording by another field of a stream than its id. */
export function switchByField(field: 'playbackId' | 'streamKey'): Rewrite {
  return on('record', async (step) => {
    const stream = await findStreamBy(field, step);
    return stream && step.ask('PATCH', `../${stream.id}/record`, step.body);
  });
}

/** Changes a field of retrieved streams whose recording is on. */
function showRecorded<Name extends keyof Stream>(
  name: Name,
  change: (value: Stream[Name]) => unknown,
): Rewrite {
  return rewriteJson<Stream>('retrieve', (stream) =>
    stream.record ? { ...stream, [name]: change(stream[name]) } : stream,
  );
}

/** Switches recording by another request that writes a stream. */
function switchByWriting(route: Route, accepts: (body: JsonObject) => boolean): Rewrite {
  return on(route, ({ request, body, ask }) => {
    const { record } = body;
    if (typeof record !== 'boolean' || !accepts(body)) return undefined;
    return ask('PATCH', `${request.url}/record`, { record });
  });
}

async function switchesStream({ body, read }: Step, to: boolean): Promise<boolean> {
  const record = await read<Stream | Session>('.');
  return body['record'] === to && record !== undefined && !('parentId' in record);
}

/** Whether the stream in the request is live. */
async function isLive(step: Step): Promise<boolean> {
  return (await sessionsOf(step)).some(({ isActive }) => isActive);
}

/** Accepts switches of recording to a value while a stream is live, without effect. */
function ignoreWhileLive(value: boolean): Rewrite {
  return insteadOfSwitch(
    async (step) => step.body['record'] === value && (await isLive(step)),
    ignored,
  );
}

/** Shows a switch of recording that was made while a stream was live only until it ends. */
function loseSwitchAtEnd(): Rewrite {
  return (next) => {
    const shown = new Map<string, boolean>();
    return together(
      on('record', async (step) => {
        const { record } = step.body;
        if (typeof record !== 'boolean' || !(await isLive(step))) return undefined;
        shown.set(step.id, record);
        return ignored();
      }),
      rewriteJson<Stream>('retrieve', (stream) => {
        const record = stream.isActive ? shown.get(stream.id) : undefined;
        return record === undefined ? stream : { ...stream, record };
      }),
    )(next);
  };
}

/** The sessions of the stream in the request. */
async function sessionsOf({ read }: Step, query: string = ''): Promise<Session[]> {
  return (await read<Session[]>(`sessions${query}`)) ?? [];
}

/** The session with the id in the request. */
function findSession({ id, read }: Step): Promise<Session | undefined> {
  return read(`../../session/${id}`);
}
