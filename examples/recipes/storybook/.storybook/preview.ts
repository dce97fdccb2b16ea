import type { Preview } from '@storybook/react-vite';
import { handlers } from 'livestream-mock/msw';
import { setupWorker } from 'msw/browser';
import { mock } from './mock.ts';

const worker = setupWorker(...handlers(mock, { baseUrl: '/api' }));

const preview: Preview = {
  async beforeAll() {
    await worker.start({ onUnhandledRequest: 'bypass' });
  },
  // Runs before a story's own `beforeEach`, so every story starts without streams.
  async beforeEach() {
    const world = await mock.world();
    await world.reset();
  },
};

export default preview;
