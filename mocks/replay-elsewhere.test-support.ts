/** Sends the rest of the requests in another process: reads a report, and writes the responses. */
import { text } from 'node:stream/consumers';
import { createMock } from './mock.ts';
import { sendRest } from './replay.test-support.ts';
import { parseState } from './service/state-lines.ts';

const mock = createMock({ seed: 'elsewhere' });
const world = await mock.world('test-elsewhere');
await world.importState(await parseState(await text(process.stdin)));
process.stdout.write(JSON.stringify(await sendRest(mock, world.apiKey)));
