import { handlers } from 'livestream-mock/msw';
import { setupWorker } from 'msw/browser';
import { mock } from './mock.js';

const worker = setupWorker(...handlers(mock, { baseUrl: '/api' }));

export default {
  beforeAll: () => worker.start({ onUnhandledRequest: 'bypass' }),
  // Runs before a story's own `beforeEach`, so every story starts without streams.
  beforeEach: async () => (await mock.world()).reset(),
};
