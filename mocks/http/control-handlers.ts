import type { Fault } from '../faults/effects/effects.ts';
import { filterExchanges } from '../journal/filter.ts';
import { jsonResponse, plainResponse, streamedJsonResponse } from '../messages/response.ts';
import { exportState, importState, validateState } from '../service/export-import.ts';
import { deleteSnapshot, restoreSnapshot, saveSnapshot } from '../service/named-snapshots.ts';
import { resetWorld } from '../service/replace.ts';
import { startSession, stopSession, viewSession } from '../service/sessions.ts';
import { advanceClock, announce } from '../service/world.ts';
import { stateText } from './bodies/state-text.ts';
import type { Handler } from './call.ts';
import type { ControlOperationName } from './control-operations.ts';
import { eventStream } from './events.ts';

/** What each operation of the control API does. */
export const controlHandlers: Readonly<Record<ControlOperationName, Handler>> = {
  async startSession({ world, id, body, origin }) {
    const duration = (body as { duration?: number } | undefined)?.duration;
    return jsonResponse(201, viewSession(world, startSession(world, id, duration), origin));
  },
  async stopSession({ world, id, origin }) {
    return jsonResponse(200, viewSession(world, stopSession(world, id), origin));
  },
  readClock({ world }) {
    return jsonResponse(200, { now: world.clock.now() });
  },
  advanceClock({ world, body }) {
    const { advance } = body as { advance: number | string };
    return jsonResponse(200, { now: advanceClock(world, advance) });
  },
  async resetWorld({ world }) {
    await resetWorld(world);
    return plainResponse(204, null);
  },
  exportState({ world, url }) {
    const state = exportState(world, url.searchParams.get('journal') === '1');
    return streamedJsonResponse(200, stateText(state));
  },
  async importState({ world, body }) {
    await importState(world, await validateState(body));
    return plainResponse(204, null);
  },
  listSnapshots({ world }) {
    return jsonResponse(200, [...world.snapshots.keys()]);
  },
  saveSnapshot({ world, id }) {
    saveSnapshot(world, id);
    return plainResponse(204, null);
  },
  async restoreSnapshot({ world, id }) {
    await restoreSnapshot(world, id);
    return plainResponse(204, null);
  },
  deleteSnapshot({ world, id }) {
    deleteSnapshot(world, id);
    return plainResponse(204, null);
  },
  listRequests({ world, url }) {
    return jsonResponse(200, filterExchanges(world.journal.exchanges(), url.searchParams));
  },
  async exportHar({ world, url }) {
    const { toHttpArchive } = await import('../journal/har.ts');
    const exchanges = filterExchanges(world.journal.exchanges(), url.searchParams);
    return jsonResponse(200, toHttpArchive(exchanges));
  },
  listFaults({ world }) {
    return jsonResponse(200, world.faults.list());
  },
  addFault({ world, body }) {
    const report = world.faults.add(body as Fault);
    announce(world, 'faults');
    return jsonResponse(201, report);
  },
  removeFault({ world, id }) {
    const report = world.faults.remove(id);
    announce(world, 'faults');
    return jsonResponse(200, report);
  },
  removeFaults({ world }) {
    const reports = world.faults.removeAll();
    announce(world, 'faults');
    return jsonResponse(200, reports);
  },
  watchWorld({ world }) {
    return plainResponse(200, eventStream(world), {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
  },
};
