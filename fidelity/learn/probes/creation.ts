import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { type CreatedStream, post, readCreated } from '../../../conformance/target/operations.ts';
import { ladders } from '../../../interface/limit-ladders.ts';
import { type CreationBehaviours, knownFields } from '../../../interface/silent-creation.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import { textOf } from '../../json.ts';
import { fieldValues, nobodysField } from '../questions/inputs.ts';
import { recordOf } from '../questions/make-session.ts';
import {
  Inexpressible,
  type ProbeContext,
  type ProbesFor,
  probesFor,
  type Question,
  readRefusal,
  readWord,
} from '../questions/probe.ts';
import { anyStream, newStream, plainInput, plainStream } from '../questions/streams.ts';
import { furtherKeysProbes } from './further-keys.ts';
import { upperLimit } from './limits.ts';

type Fate = 'kept' | 'dropped' | Refusal;

/** Sends a creation. */
export async function create(context: ProbeContext, input: JsonObject): Promise<TargetResponse> {
  return context.send(post('/stream', { ...plainInput, ...input }));
}

/** Whether a new stream shows a further field. */
function fieldFate(field: string, value: unknown): Question<Fate> {
  return async (context) => {
    const response = await create(context, { [field]: value });
    if (!isSuccess(response)) return readRefusal(response);
    const without = (await context.ask(plainStream)).shown[field];
    const shown = readCreated(response)[field];
    return JSON.stringify(shown) === JSON.stringify(without) ? 'dropped' : 'kept';
  };
}

/** Whether a creation is accepted. */
export function accepted(input: JsonObject): Question<'accepted' | Refusal> {
  return async (context) => readWord(await create(context, input), 'accepted');
}

const recordDefault: Question<boolean> = async (context) =>
  recordOf(context, await newStream(context));

/** The fate of the other value than the usual one, as that shows whether it was taken. */
const recordFate: Question<'taken' | 'dropped' | Refusal> = async (context) => {
  const usual = await context.ask(recordDefault);
  const response = await create(context, { record: !usual });
  if (!isSuccess(response)) return readRefusal(response);
  return (await recordOf(context, asStream(response))) === usual ? 'dropped' : 'taken';
};

/** The fate of a record that is no boolean. */
function wrongRecordFate(record: unknown): Question<'dropped' | Refusal> {
  return async (context) => {
    const response = await create(context, { record });
    if (!isSuccess(response)) return readRefusal(response);
    if ((await recordOf(context, asStream(response))) === (await context.ask(recordDefault))) {
      return 'dropped';
    }
    throw new Inexpressible(
      'expected a record that is no boolean to be dropped or refused, it was taken',
    );
  };
}

function asStream(response: TargetResponse): CreatedStream {
  const shown = readCreated(response);
  const { id, streamKey } = shown;
  return {
    id: textOf(id),
    streamKey: typeof streamKey === 'string' ? streamKey : undefined,
    shown,
  };
}

const createNamed = (name: string) => accepted({ name });

/** Probes of what a creation accepts, and of what streams and sessions show. */
export const creationProbes: ProbesFor<CreationBehaviours> = {
  'create.unknown-field': fieldFate('nobodyKnows', nobodysField.nobodyKnows),
  ...probesFor('create.known-field', knownFields, (field) => fieldFate(field, fieldValues[field])),
  'create.record': ({ ask }) => ask(recordFate),
  'create.wrong-record': wrongRecordFate('yes'),
  'create.null-record': wrongRecordFate(null),
  'create.record-default': ({ ask }) => ask(recordDefault),
  'create.name-length': (context) =>
    upperLimit(
      { ladder: ladders.name, expected: context.expected('create.name-length') },
      (length) => createNamed('n'.repeat(length))(context),
    ),
  'create.empty-name': createNamed(''),
  'create.other-characters': createNamed('Hafen – 港 – 🎥'),
  async 'create.location'(context) {
    const response = await create(context, {});
    readCreated(response);
    return response.headers.has('location') ? 'present' : 'absent';
  },
  'stream.record': async ({ ask }) => ('record' in (await ask(anyStream)) ? 'shown' : 'absent'),
  ...furtherKeysProbes,
};
