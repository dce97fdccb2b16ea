export default {
  framework: '@storybook/react-vite',
  stories: ['../*.stories.jsx'],
  // Contains MSW's worker script, which `npx msw init public --save` puts there.
  staticDirs: ['../public'],
};
