import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import {
  isSuccess,
  type JsonObject,
  readObject,
} from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { get, patch, readId, streamPath } from '../../../conformance/target/operations.ts';
import { recommendedProfiles } from '../../../interface/ladder.ts';
import type { ChangeBehaviours } from '../../../interface/silent-changes.ts';
import { knownFields } from '../../../interface/silent-creation.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import { findSession, placesOf } from '../questions/find-session.ts';
import { fieldValues, nobodysField } from '../questions/inputs.ts';
import { readySession } from '../questions/known-sessions.ts';
import { sessionPath } from '../questions/list-sessions.ts';
import { makeSession, recordOf } from '../questions/make-session.ts';
import { poll } from '../questions/poll.ts';
import {
  Inexpressible,
  type ProbeContext,
  type ProbesFor,
  probesFor,
  type Question,
  readRefusal,
  readWord,
  refuseAlike,
} from '../questions/probe.ts';
import {
  anyStream,
  changedStream,
  deletionOf,
  newStream,
  showStream,
} from '../questions/streams.ts';
import { offersPlayback, offersTermination, sessionPlayback } from './playback.ts';
import { readShown } from './shown.ts';

/** An update that was sent. */
interface Update {
  readonly body: JsonObject;
  readonly response: TargetResponse;
}

/** Updates of which a service that has the operation should accept at least one. */
const updates: Question<readonly Update[]> = async (context) => {
  const { id } = await context.ask(changedStream);
  const tried: Update[] = [];
  for (const body of [{ name: 'learned' }, {}, { record: true }]) {
    const response = await context.send(patch(streamPath(id), body));
    tried.push({ body, response });
    if (isSuccess(response)) break;
  }
  return tried;
};

/** An update that is accepted. @throws Blocked if the service accepts none */
export const acceptedUpdate: Question<Update> = async ({ ask }) => {
  const accepted = (await ask(updates)).find(({ response }) => isSuccess(response));
  if (accepted !== undefined) return accepted;
  throw new Blocked('an update that is accepted: the service refused all that were tried');
};

/**
 * A stream after an update. Where nothing else shows it, the response to the update or to its deletion
 * may; `undefined` where they do not either.
 */
async function shownAfter(
  context: ProbeContext,
  id: string,
  update: TargetResponse,
): Promise<JsonObject | undefined> {
  try {
    return await showStream(context, id);
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    if (readId(update) === id) return readObject(update);
    const deleted = await context.send(deletionOf(id));
    return readId(deleted) === id ? readObject(deleted) : undefined;
  }
}

/** @throws Blocked without a value for what nothing shows */
function expectSeen(ifUnseen: 'dropped' | undefined): 'dropped' {
  if (ifUnseen !== undefined) return ifUnseen;
  throw new Blocked('a stream after an update: nothing shows it');
}

/**
 * A field's fate in an update. No client can tell what was changed from what was dropped where nothing
 * shows a stream again.
 */
function updated(
  body: JsonObject,
  ifUnseen?: 'dropped',
): Question<'changed' | 'dropped' | Refusal> {
  return async (context) => {
    const stream = await newStream(context);
    const response = await context.send(patch(streamPath(stream.id), body));
    if (!isSuccess(response)) return readRefusal(response);
    const [[key = '', value] = []] = Object.entries(body);
    const shown = await shownAfter(context, stream.id, response);
    if (shown === undefined) return expectSeen(ifUnseen);
    const isChanged = JSON.stringify(shown[key]) !== JSON.stringify(stream.shown[key]);
    if (key === 'name' && isChanged && shown[key] !== value) {
      throw new Inexpressible('expected the new name or the old one, got another');
    }
    return isChanged ? 'changed' : 'dropped';
  };
}

/** Whether an update switched recording, and the response to it. */
export const recordUpdate: Question<{ response: TargetResponse; switched: boolean }> = async (
  context,
) => {
  const stream = await newStream(context);
  const before = await recordOf(context, stream);
  const response = await context.send(patch(streamPath(stream.id), { record: !before }));
  if (!isSuccess(response)) return { response, switched: false };
  // Where nothing shows the stream, its next session tells.
  const shown = await showStream(context, stream.id).catch((error: unknown): JsonObject => {
    if (error instanceof Blocked) return {};
    throw error;
  });
  return { response, switched: (await recordOf(context, { ...stream, shown })) !== before };
};

/** Whether an operation is there that the interface leaves open. */
function offered(send: (context: ProbeContext) => Promise<TargetResponse>) {
  return async (context: ProbeContext): Promise<'offered' | Refusal> =>
    readWord(await send(context), 'offered');
}

const deletion: Question<TargetResponse> = async (context) => {
  const { id } = await newStream(context);
  return context.send(deletionOf(id));
};

/** Probes of the operations that the interface leaves open. */
export const changeProbes: ProbesFor<ChangeBehaviours> = {
  'operation.listStreams': offered(({ send }) => send(get('/stream'))),
  'operation.retrieveStream': offered(async ({ ask, send }) =>
    send(get(streamPath((await ask(anyStream))['id']))),
  ),
  async 'operation.updateStream'(context) {
    const tried = (await context.ask(updates)).map(({ response }) => response);
    const [first] = tried;
    if (first === undefined || tried.some(isSuccess)) return 'offered';
    return tried.every((response) => refuseAlike(response, first)) ? readRefusal(first) : 'offered';
  },
  'operation.deleteStream': offered(({ ask }) => ask(deletion)),
  'operation.listSessions': offered(({ send }) => send(get('/session'))),
  async 'operation.retrieveSession'(context) {
    const { id } = (await context.ask(readySession)).shown;
    return readWord(await context.send(get(sessionPath(id))), 'offered');
  },
  'operation.terminateStream': offersTermination,
  'operation.retrievePlayback': offersPlayback,
  async 'retrieve.stream'(context) {
    const { id } = await context.ask(anyStream);
    const body = readObject(await context.send(get(streamPath(id))));
    if (body['id'] === id) return 'bare';
    if ((body['stream'] as JsonObject | undefined)?.['id'] === id) return 'wrapped';
    throw new Inexpressible('expected the stream, or {"stream"} with it, got something else');
  },
  'update.name': updated({ name: 'learned' }),
  async 'update.null-name'(context) {
    const stream = await newStream(context);
    const response = await context.send(patch(streamPath(stream.id), { name: null }));
    if (!isSuccess(response)) return readRefusal(response);
    const shown = await shownAfter(context, stream.id, response);
    if (shown === undefined || shown['name'] === stream.shown['name']) return 'dropped';
    throw new Inexpressible('expected the name to stay as it was, or a refusal, got another name');
  },
  'update.unknown-field': updated(nobodysField, 'dropped'),
  ...probesFor('update.known-field', knownFields, (field) =>
    updated({ [field]: fieldValues[field] }),
  ),
  'update.profiles': updated({ profiles: recommendedProfiles }, 'dropped'),
  async 'update.record'(context) {
    const { response, switched } = await context.ask(recordUpdate);
    if (switched) throw new Inexpressible('expected record to stay as it was, but it was switched');
    return readWord(response, 'dropped');
  },
  'playback.session': sessionPlayback,
  'update.shows': async (context) =>
    readShown(context, (await context.ask(acceptedUpdate)).response),
  'delete.shows': async (context) => readShown(context, await context.ask(deletion)),
  async 'delete.leaves'(context) {
    const stream = await newStream(context);
    const { id } = await makeSession(context, stream);
    const places = placesOf(stream.id, id);
    const look = (paths: readonly string[]) => findSession(context, paths, id);
    const shown =
      (await poll(context, context.patience, () => look(places.slice(0, 2))))?.value ??
      (await look(places));
    if (shown === undefined) {
      throw new Blocked('a session that is shown beside its stream: none was in time');
    }
    const deleted = await context.send(deletionOf(stream.id));
    if (!isSuccess(deleted)) throw new Blocked('a deleted stream with a session: it was refused');
    return (await look([shown.path])) === undefined ? 'nothing' : 'sessions';
  },
};
