import { type Cell, isKept, isRefusal } from '../../../interface/dialect/cells.ts';
import { type ErrorId, errorsOf } from '../../../interface/dialect/errors.ts';
import { allFieldsOf, type Field, fieldsWhileLive } from '../../../interface/dialect/fields.ts';
import { type CellOf, isOffered } from '../../../interface/dialect/matrix.ts';
import { isSuccess, type JsonObject } from '../../../target/requests/read-response.ts';
import { setOwnRecord, streamPath } from '../../../target/streams/stream-requests.ts';
import { twoProfiles } from '../../operation-calls.ts';
import { beginLive, endLive } from '../probing/probed-sessions.ts';
import { newStream } from '../probing/probed-streams.ts';
import { Inexpressible, type NamedProbe, need, type Probe } from '../probing/prober.ts';
import { refusalIn, requireRefusal } from './observed-refusals.ts';
import { sendWrong } from './wrong-requests.ts';

/** How each field of an update is refused while the stream is live; no refusal if it is accepted. */
type LiveUpdates = ReadonlyMap<ErrorId, Cell>;

/** An update that sets one field, and the error that it is if the stream is live. */
interface LiveUpdate {
  readonly id: ErrorId;
  readonly body: JsonObject;
}

/** The updates of each field that an update keeps, with profiles first. */
function liveUpdates(cellOf: CellOf): LiveUpdate[] {
  const ofFields = fieldsWhileLive.flatMap((field) => {
    const error = errorsOf.updateStream.find(({ id }) => id === `state:live:${field}`);
    const [flaw] = error?.flaws ?? [];
    return error && flaw && 'sets' in flaw ? [{ id: error.id, body: flaw.sets ?? {} }] : [];
  });
  const ofProfiles: LiveUpdate = { id: 'state:live', body: { profiles: twoProfiles.slice(1) } };
  return [ofProfiles, ...ofFields].filter(({ body }) =>
    Object.keys(body).every((field) => isFieldKept(field, cellOf)),
  );
}

/** Whether an update keeps a field, as far as is known. */
function isFieldKept(field: string, cellOf: CellOf): boolean {
  const given = errorsOf.updateStream.find(({ id }) => id === `field:${field}:given`);
  const cell = given && cellOf('updateStream', given.id);
  return cell === undefined || isKept(cell);
}

/**
 * What happens to each field of an update while a stream is live. All but profiles are sent at once, and one by one only
 * if that is refused, so that most services are asked with one live stream and two requests.
 */
const updatesWhileLive: Probe<LiveUpdates> = async (context) => {
  const { send, cellOf } = context;
  const updates = liveUpdates(cellOf);
  const stream = await newStream(context);
  // The updates turn recording on.
  const switches = updates.some(({ body }) => 'record' in body);
  if (switches) await setOwnRecord(send, stream.id, false, 0);
  const update = (id: string, body: object) =>
    send({ method: 'PATCH', path: streamPath(id), body });
  await beginLive(context, stream);
  const together = updates.filter(({ id }) => id !== 'state:live');
  const all = Object.assign({}, ...together.map(({ body }) => body));
  const areAccepted = together.length > 1 && isSuccess(await update(stream.id, all));
  const cells = new Map<ErrorId, Cell>();
  for (const { id, body } of updates) {
    const isKnown = areAccepted && id !== 'state:live';
    const refusal = isKnown ? undefined : refusalIn(await update(stream.id, body));
    if (refusal === undefined) cells.set(id, { as: 'accepted' });
    else {
      // A service may want other fields with this one, whether the stream is live or not.
      const idle = await newStream(context);
      if (isSuccess(await update(idle.id, body))) cells.set(id, refusal);
    }
  }
  await endLive(context, stream.id);
  return cells;
};

/** What happens to one field of an update while the stream is live. @throws Blocked if it is refused in other updates, too */
export function probeLiveUpdate(error: ErrorId): Probe<Cell> {
  return async ({ ask }) => {
    const cell = (await ask(updatesWhileLive)).get(error);
    return need(
      cell,
      'an update of this field alone that is accepted while the stream is not live',
    );
  };
}

/** The operations whose fields may depend on each other. */
const combined = ['createStream', 'updateStream'] as const;
type Combined = (typeof combined)[number];

/**
 * Asks whether fields depend on each other, which no dialect can say: whether a field is refused alone and accepted with
 * others, or accepted alone and refused with others.
 */
export const combinationProbes: readonly NamedProbe[] = combined.map((endpoint) => ({
  name: `conditions.${endpoint}`,
  probe: probeCombinations(endpoint),
}));

function probeCombinations(endpoint: Combined): Probe<undefined> {
  return async (context) => {
    const { cellOf } = context;
    if (!isOffered(endpoint, cellOf)) return undefined;
    const isAccepted = async (fields: readonly Field[]): Promise<boolean> => {
      const flaws = fields.map(({ path, good }) => ({ field: path, value: good[0] }));
      const { response } = await sendWrong(context, endpoint, flaws);
      if (isSuccess(response)) return true;
      requireRefusal(response);
      return false;
    };
    const named = allFieldsOf(endpoint).filter(
      ({ path }) => !/\[\]|^(unknown|read-only)$/.test(path),
    );
    const cellIn = ({ presence }: Field): Cell | undefined =>
      presence?.kind === 'given' ? cellOf(endpoint, presence.id) : { as: 'kept' };
    const kept = named.filter((field) => isKept(cellIn(field)));
    const refused = named.filter((field) => {
      const cell = cellIn(field);
      return cell !== undefined && isRefusal(cell);
    });
    const areTogether = await isAccepted(kept);
    const conditions: string[] = areTogether ? [] : await excludingFields(kept, isAccepted);
    for (const field of areTogether ? refused : []) {
      if (!(await isAccepted([...kept, field]))) continue;
      conditions.push(
        `${field.path} is accepted only with ${await partnerOf(field, kept, isAccepted)}`,
      );
    }
    if (conditions.length === 0) return undefined;
    throw new Inexpressible(conditions.join('; '));
  };
}

/** Which fields are accepted alone, and refused together. */
async function excludingFields(
  fields: readonly Field[],
  isAccepted: (fields: readonly Field[]) => Promise<boolean>,
): Promise<string[]> {
  let remaining = fields;
  // What is left cannot do without any of its fields and still be refused.
  for (const field of fields) {
    const others = remaining.filter((one) => one !== field);
    if (others.length > 0 && !(await isAccepted(others))) remaining = others;
  }
  return [`${remaining.map(({ path }) => path).join(' and ')} are refused together`];
}

/** The field without which another one is refused. */
async function partnerOf(
  field: Field,
  kept: readonly Field[],
  isAccepted: (fields: readonly Field[]) => Promise<boolean>,
): Promise<string> {
  for (const other of kept) {
    if (await isAccepted([other, field])) return other.path;
  }
  return 'several others';
}
