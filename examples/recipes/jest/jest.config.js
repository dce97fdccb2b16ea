export default {
  globalSetup: './start-mock.js',
  globalTeardown: './stop-mock.js',
};
