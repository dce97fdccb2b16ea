import { render } from 'preact';
import { App } from './app.tsx';
import { followAddress } from './state/address.ts';
import { openWorld } from './state/connection.ts';
import { keptKey } from './state/page.ts';

followAddress();
render(<App />, document.body);
openWorld(keptKey());
