import { createMock } from 'livestream-mock';
import { serve } from 'livestream-mock/node';

/** Jest runs this once, before all tests, outside its sandbox. */
export default async function startMock() {
  globalThis.mockServer = await serve(createMock({ now: Date.now, recordingDelay: 0 }));
  process.env.LIVESTREAM_URL = globalThis.mockServer.baseUrl;
  process.env.LIVESTREAM_CONTROL_URL = globalThis.mockServer.controlUrl;
}
