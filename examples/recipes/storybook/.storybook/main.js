export default {
  framework: '@storybook/react-vite',
  stories: ['../*.stories.jsx'],
  // Has MSW's worker script: `npx msw init public --save` puts it there.
  staticDirs: ['../public'],
};
