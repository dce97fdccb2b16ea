export default {
  globalSetup: './start-mock.mjs',
  globalTeardown: './stop-mock.mjs',
};
