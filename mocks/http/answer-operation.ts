import { isClientOperation } from '../../interface/operation-names.ts';
import { answerFaulty } from '../faults/answer-faulty.ts';
import type { PlainResponse } from '../messages/response.ts';
import { validate } from '../problems/validate.ts';
import { whenKept } from '../service/world.ts';
import type { Call } from './call.ts';
import { missingCredential, readCredential } from './credential.ts';
import { handlers } from './handlers.ts';
import { type OperationName, operations } from './operations.ts';
import type { Match } from './router.ts';
import { isTesters } from './tester.ts';
import { type App, enter, hasBody, noteFault, readBody, type Trip } from './trip.ts';

/**
 * In the field's order: bad key, bad body, no key, wrong body, and then what the service says. The
 * control API, which is not the field's and takes large bodies, reads none without a key.
 */
export async function answerOperation(
  { apiKeys, worlds, largeBodies }: App,
  trip: Trip,
  name: OperationName,
  parameters: Match['parameters'],
): Promise<PlainResponse> {
  const operation = operations[name];
  const { request } = trip;
  const apiKey = readCredential(request, apiKeys);
  const world = apiKey === undefined ? undefined : await worlds.open(apiKey);
  if (world !== undefined) enter(trip, world);
  if (operation.area === 'control' && world === undefined) throw missingCredential(apiKeys);
  const answerRest = (body: unknown): Promise<PlainResponse> => {
    if (world === undefined) throw missingCredential(apiKeys);
    return answerCall(trip, name, { world, id: Object.values(parameters)[0] ?? '', body });
  };
  if (operation.largeBody) return largeBodies.read(request, answerRest);
  return answerRest(hasBody(request) ? await readBody(trip) : undefined);
}

function answerCall(
  trip: Trip,
  name: OperationName,
  { world, id, body }: Pick<Call, 'world' | 'id' | 'body'>,
): Promise<PlainResponse> {
  const operation = operations[name];
  const { request, url } = trip;
  const carryOut = async (): Promise<PlainResponse> => {
    // A large one is checked by its handler, which lets others be answered in between.
    const checked = operation.largeBody ? body : operation.body && validate(operation.body, body);
    const call = { world, origin: url.origin, url, id, body: checked };
    const handle = () => handlers[name](call);
    return operation.method === 'GET' ? handle() : whenKept(world, handle);
  };
  if (!isClientOperation(name) || isTesters(request)) return carryOut();
  const { faults, clock } = world;
  const parts = { faults, clock, request, carryOut, onFault: noteFault(trip) };
  return answerFaulty(parts, { operation: name, method: request.method, id });
}
