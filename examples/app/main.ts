import { connect, connectTo } from './api.ts';
import { startApp } from './app.ts';
import { notices } from './notices.ts';

const {
  VITE_LIVESTREAM_URL: baseUrl,
  VITE_LIVESTREAM_KEY: apiKey,
  VITE_LIVESTREAM_CONTROL_URL: controlUrl,
} = import.meta.env;

// Known at build time, so a build without it contains none of the mock's code.
if (import.meta.env.VITE_MOCK === 'worker') {
  const { startMock } = await import('./worker.ts');
  await startMock(baseUrl);
}

startApp(find('#app'), {
  service: connect(connectTo(baseUrl, apiKey)),
  control: controlUrl === undefined ? undefined : connectTo(controlUrl, apiKey).send,
  notices: notices(find('#status'), find('#errors')),
});

function find(selector: string): Element {
  const match = document.querySelector(selector);
  if (match === null) throw new Error(`index.html: expected an element ${selector}, got none`);
  return match;
}
