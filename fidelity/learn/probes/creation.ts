import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { type CreatedStream, post, readCreated } from '../../../conformance/target/operations.ts';
import {
  type CreationBehaviours,
  knownFields,
  ladders,
  profileFields,
} from '../../../interface/silent-creation.ts';
import type { Refusal } from '../../../interface/silent-row.ts';
import { fieldValues, nobodysField } from './fields.ts';
import { furtherKeysProbes } from './further-keys.ts';
import { lowerLimit, upperLimit } from './limits.ts';
import {
  Inexpressible,
  type ProbeContext,
  type ProbesFor,
  probesFor,
  type Question,
  readRefusal,
  readWord,
} from './probe.ts';
import { profile } from './profile.ts';
import { profiledSession, readySession, recordOf } from './sessions.ts';
import { anyStream, newStream, plainInput, plainStream, profiledStream } from './streams.ts';

type Fate = 'kept' | 'dropped' | Refusal;
type Shown = 'empty' | 'absent' | 'null';

async function create(context: ProbeContext, input: JsonObject): Promise<TargetResponse> {
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

const profileFieldFate: Question<Fate> = async (context) => {
  const response = await create(context, { profiles: [{ ...profile, ...nobodysField }] });
  if (!isSuccess(response)) return readRefusal(response);
  const { profiles } = readCreated(response);
  const [first] = Array.isArray(profiles) ? profiles : [];
  return typeof first === 'object' && first !== null && 'nobodyKnows' in first ? 'kept' : 'dropped';
};

/** Whether a creation is accepted. */
function accepted(input: JsonObject): Question<'accepted' | Refusal> {
  return async (context) => readWord(await create(context, input), 'accepted');
}

/** What is shown as `profiles` where there are none: it tells something only where others are shown. */
async function readProfiles(context: ProbeContext, { profiles }: JsonObject): Promise<Shown> {
  await context.ask(profiledStream);
  if (profiles === undefined) return 'absent';
  if (profiles === null) return 'null';
  if (Array.isArray(profiles) && profiles.length === 0) return 'empty';
  throw new Inexpressible('profiles: expected [], null or none, as none were given, got others');
}

function shownProfiles(profiles: unknown): Question<Shown | Refusal> {
  return async (context) => {
    const response = await create(context, { profiles });
    return isSuccess(response)
      ? readProfiles(context, readCreated(response))
      : readRefusal(response);
  };
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

const wrongRecordFate: Question<'dropped' | Refusal> = async (context) => {
  const response = await create(context, { record: 'yes' });
  if (!isSuccess(response)) return readRefusal(response);
  if ((await recordOf(context, asStream(response))) === (await context.ask(recordDefault))) {
    return 'dropped';
  }
  throw new Inexpressible(
    'expected a record that is a text to be dropped or refused, it was taken',
  );
};

function asStream(response: TargetResponse): CreatedStream {
  const shown = readCreated(response);
  const { id, streamKey } = shown;
  return {
    id: String(id),
    streamKey: typeof streamKey === 'string' ? streamKey : undefined,
    shown,
  };
}

const createNamed = (name: string) => accepted({ name });

const createWith = (field: string, value: number) =>
  accepted({ profiles: [{ ...profile, [field]: value }] });

/** Probes of what a creation accepts, and of what streams and sessions show. */
export const creationProbes: ProbesFor<CreationBehaviours> = {
  'create.unknown-field': fieldFate('nobodyKnows', nobodysField.nobodyKnows),
  ...probesFor('create.known-field', knownFields, (field) => fieldFate(field, fieldValues[field])),
  'create.profile-field': profileFieldFate,
  'create.record': ({ ask }) => ask(recordFate),
  'create.wrong-record': wrongRecordFate,
  'create.record-default': ({ ask }) => ask(recordDefault),
  'create.name-length': (context) =>
    upperLimit(
      { ladder: ladders.name, usual: 1, expected: context.expected('create.name-length') },
      (length) => createNamed('n'.repeat(length))(context),
    ),
  'create.empty-name': createNamed(''),
  'create.other-characters': createNamed('Hafen – 港 – 🎥'),
  'create.other-profiles': accepted({ profiles: [{ ...profile, name: 'tall' }] }),
  'create.equal-profiles': accepted({ profiles: [profile, { ...profile, height: 700 }] }),
  'create.source-profiles': accepted({ profiles: [{ ...profile, name: 'source' }] }),
  ...probesFor('profile.zero', profileFields, (field) => createWith(field, 0)),
  ...probesFor('profile.fraction', profileFields, (field) =>
    createWith(field, profile[field] + 0.5),
  ),
  ...probesFor(
    'profile.smallest',
    profileFields,
    (field) => (context: ProbeContext) =>
      lowerLimit(
        {
          ladder: ladders[field].smallest,
          usual: profile[field],
          expected: context.expected(`profile.smallest.${field}`),
        },
        (value) => createWith(field, value)(context),
      ),
  ),
  ...probesFor(
    'profile.largest',
    profileFields,
    (field) => (context: ProbeContext) =>
      upperLimit(
        {
          ladder: ladders[field].largest,
          usual: profile[field],
          expected: context.expected(`profile.largest.${field}`),
        },
        (value) => createWith(field, value)(context),
      ),
  ),
  'profiles.omitted': async (context) =>
    readProfiles(context, (await context.ask(plainStream)).shown),
  async 'profiles.of-session'(context) {
    const shown = await readProfiles(context, (await context.ask(readySession)).shown);
    if (shown === 'absent') await context.ask(profiledSession);
    if (shown !== 'null') return shown;
    throw new Inexpressible('profiles: expected [] or none in a session, got null');
  },
  'profiles.empty': shownProfiles([]),
  'profiles.null': shownProfiles(null),
  async 'create.location'(context) {
    const response = await create(context, {});
    readCreated(response);
    return response.headers.has('location') ? 'present' : 'absent';
  },
  'stream.record': async ({ ask }) => ('record' in (await ask(anyStream)) ? 'shown' : 'absent'),
  ...furtherKeysProbes,
};
