import type { StorybookConfig } from '@storybook/react-vite';

const config: StorybookConfig = {
  framework: '@storybook/react-vite',
  stories: ['../*.stories.tsx'],
  // Contains MSW's worker script, which `npx msw init public --save` puts there.
  staticDirs: ['../public'],
};

export default config;
