import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import { streamPath } from '../../../conformance/target/operations.ts';
import { parseJson } from '../../../conformance/target/parse-json.ts';
import type { Asked, Mutation } from '../../../interface/errors.ts';
import type { Json } from '../../../interface/json.ts';
import { type Behaviours, documentedKeys, type Shown } from '../../../interface/silent.ts';
import { isPlainKey } from '../../form.ts';
import { isObject } from '../../json.ts';
import { type Question, Unsayable } from '../asking/asking.ts';
import { makeSession, showSession, waitFor } from '../asking/sessions.ts';
import { newStream, plainStream, showStream } from '../asking/streams.ts';
import { send } from '../cells/probe.ts';
import { each } from './each.ts';

type Rows = Pick<Behaviours, 'answer.shows' | 'delete.leaves'>;

/** What the response to a change shows, with the first of some requests that is accepted. */
function shownBy(asked: Asked, ...ways: readonly (readonly Mutation[])[]): Question<Shown> {
  return async (asking) => {
    let last: TargetResponse | undefined;
    for (const mutations of ways) {
      const { response, good } = await send(asking, asked, mutations);
      if (isSuccess(response)) return readShown(response, await asking.ask(shownKeys), good.id);
      last = response;
    }
    throw new Blocked(`a change that is accepted: ${asked} got status ${last?.status}`);
  };
}

/** The documented keys of a stream that a service shows: it may show some only when it creates one. */
const shownKeys: Question<readonly string[]> = async (asking) => {
  const { id, shown: created } = await asking.ask(plainStream);
  const shown = await showStream(asking, id).catch((error: unknown) => {
    if (error instanceof Blocked) return created;
    throw error;
  });
  return documentedKeys.stream.filter((key) => key in shown);
};

function readShown({ status, text }: TargetResponse, keys: readonly string[], id: string): Shown {
  if (text === '') return status === 204 ? 'nothing' : { status };
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    throw new Unsayable('expected no body, or JSON, got something else');
  }
  const isStream = isObject(body) && body['id'] === id && keys.every((key) => key in body);
  if (isStream && status === 200) return 'stream';
  return { status, json: sampleOf(body, 0) };
}

/** A body of the same shape, without anyone's data. */
function sampleOf(value: unknown, depth: number): Json {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value) || !isObject(value) || depth > 2) return [];
  const entries = Object.entries(value).filter(([key]) => isPlainKey(key));
  return Object.fromEntries(entries.map(([key, part]) => [key, sampleOf(part, depth + 1)]));
}

/** What can still be read of a session after its stream was deleted. */
const leaves: Question<'nothing' | 'sessions'> = async (asking) => {
  const stream = await newStream(asking);
  const { id } = await makeSession(asking, stream);
  const shown = await waitFor(asking, () => showSession(asking, stream.id, id));
  if (shown === undefined) throw new Blocked('a session that is shown: none was in time');
  const deleted = await asking.send({ method: 'DELETE', path: streamPath(stream.id) });
  if (!isSuccess(deleted)) throw new Blocked('a deleted stream with a session: it was refused');
  return (await showSession(asking, stream.id, id)) === undefined ? 'nothing' : 'sessions';
};

/** Probes of what changes show and leave. */
export const changeProbes: { readonly [Id in keyof Rows]: Question<Partial<Rows[Id]> | Rows[Id]> } =
  {
    'answer.shows': each<Rows['answer.shows']>({
      updateStream: shownBy('updateStream', [], [{ text: '{}' }]),
      deleteStream: shownBy('deleteStream', []),
      terminateStream: shownBy('terminateStream', [], [{ state: 'live' }]),
    }),
    'delete.leaves': leaves,
  };
