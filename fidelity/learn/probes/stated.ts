import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import {
  expectEcho,
  fail,
  isSuccess,
  type JsonObject,
  readObjects,
} from '../../../conformance/target/expectations.ts';
import { readCreated } from '../../../conformance/target/operations.ts';
import type { Call } from '../../../conformance/target/target.ts';
import { profileFields } from '../../../interface/limit-ladders.ts';
import { isObject, textOf } from '../../json.ts';

/**
 * Compares each success of a stated operation with what the interface states of it and probes rely on,
 * so that no probe takes a broken rule for a legal value.
 */
export function createWitness(): (call: Call, response: TargetResponse) => void {
  const ids = new Set<unknown>();
  return ({ method, path, body }, response) => {
    if (!isSuccess(response)) return;
    if (method === 'POST' && path === '/stream') {
      const { id } = readCreated(response);
      if (ids.has(id)) fail('id: expected a new one, got that of another stream', response);
      ids.add(id);
      if (isObject(body)) expectSubmitted(body, response);
    }
    const [, id] = /^\/stream\/([^/]+)\/sessions\?record=1\b/.exec(path) ?? [];
    if (method === 'GET' && id !== undefined) expectRecorded(decodeURIComponent(id), response);
  };
}

/** A created stream shows the name and the profiles that were submitted (interface 4.1). */
function expectSubmitted({ name, profiles }: JsonObject, response: TargetResponse): void {
  const shown = readCreated(response);
  if (typeof name === 'string') expectEcho(shown['name'], name, 'name', response);
  if (!Array.isArray(profiles) || profiles.length === 0 || !profiles.every(isObject)) return;
  const documented = profiles.map((profile: JsonObject) =>
    Object.fromEntries(
      ['name', ...profileFields]
        .filter((field) => field in profile)
        .map((field) => [field, profile[field]]),
    ),
  );
  expectEcho(shown['profiles'], documented, 'profiles', response);
}

/** With `record=1` the list has recorded sessions of the stream only, each once (interface 4.3). */
function expectRecorded(streamId: string, response: TargetResponse): void {
  const sessions = readObjects(response);
  const isStrange = ({ parentId = '', record }: JsonObject): boolean =>
    (parentId !== '' && textOf(parentId).toWellFormed() !== streamId) || record === false;
  if (sessions.some(isStrange)) {
    fail('record=1: expected recorded sessions of the stream only, got others', response);
  }
  if (new Set(sessions.map(({ id }) => id)).size < sessions.length) {
    fail('record=1: expected each session once, got one of them again', response);
  }
}
