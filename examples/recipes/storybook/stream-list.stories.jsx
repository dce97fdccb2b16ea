import { mock } from './.storybook/mock.js';
import { StreamList } from './stream-list.jsx';

export default { component: StreamList };

export const Empty = {};

export const Live = {
  async beforeEach() {
    const world = await mock.world();
    const { id } = await world.createStream({ name: 'Harbour camera' });
    await world.start(id);
  },
};
