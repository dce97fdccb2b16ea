import { setupWorker } from 'msw/browser';
import type { Fault } from '../faults/fault.ts';
import { createMock } from '../mock.ts';
import { handlers } from './msw/msw.ts';

const baseUrl = `${location.origin}/api`;
const mock = createMock({ world: 'demo', now: Date.now });
const worker = setupWorker(...handlers(mock, { baseUrl }));
const started = worker.start({ quiet: true });

/** Runs in a page: the mock behind its service worker gets a fault. */
async function addFault(fault: Fault): Promise<void> {
  await started;
  (await mock.world()).addFault(fault);
}

Object.assign(globalThis, { addFault });
