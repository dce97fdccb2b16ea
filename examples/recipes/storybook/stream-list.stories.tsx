import type { Meta, StoryObj } from '@storybook/react-vite';
import { mock } from './.storybook/mock.ts';
import { StreamList } from './stream-list.tsx';

export default { component: StreamList } satisfies Meta<typeof StreamList>;

type Story = StoryObj<typeof StreamList>;

export const Empty: Story = {};

export const Live: Story = {
  async beforeEach() {
    const world = await mock.world();
    const { id } = await world.createStream({ name: 'Harbour camera' });
    await world.start(id);
  },
};
