import {
  get,
  patch,
  post,
  recordedSessionsPath,
  recordPath,
  streamPath,
} from '../../../../conformance/target/operations.ts';
import type { OrderBehaviours } from '../../../../interface/silent-orders.ts';
import { textOf } from '../../../json.ts';
import type { ProbesFor } from '../../questions/probe.ts';
import { anyStream, changedStream, plainInput } from '../../questions/streams.ts';
import { acceptedUpdate } from '../updates.ts';
import { createExamples, listExamples, switchExamples, updateExamples } from './examples.ts';
import { orderOf } from './order-of.ts';
import { routeOrder } from './route-order.ts';

/** The probes of the order in which each operation notices errors. */
export const orderProbes: ProbesFor<OrderBehaviours> = {
  'order.createStream': orderOf(
    'order.createStream',
    async () => post('/stream', plainInput),
    createExamples,
  ),
  'order.setRecord': orderOf(
    'order.setRecord',
    async ({ ask }) => patch(recordPath((await ask(changedStream)).id), { record: false }),
    switchExamples,
  ),
  'order.updateStream': orderOf(
    'order.updateStream',
    async ({ ask }) =>
      patch(streamPath((await ask(changedStream)).id), (await ask(acceptedUpdate)).body),
    updateExamples,
  ),
  'order.unknown-route': routeOrder,
  'order.listStreams': orderOf('order.listStreams', async () => get('/stream'), listExamples),
  'order.listSessions': orderOf('order.listSessions', async () => get('/session'), listExamples),
  'order.listSessionsOfStream': orderOf(
    'order.listSessionsOfStream',
    async ({ ask }) => get(recordedSessionsPath(textOf((await ask(anyStream))['id']))),
    listExamples,
  ),
};
