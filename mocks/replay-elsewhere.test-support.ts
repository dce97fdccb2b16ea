/** Plays the rest of a story in a process of its own; the report comes in, the answers go out. */
import { text } from 'node:stream/consumers';
import { createMock } from './mock.ts';
import { playRest } from './replay.test-support.ts';

const mock = createMock({ seed: 'elsewhere' });
const world = await mock.world('test-elsewhere');
await world.importState(JSON.parse(await text(process.stdin)));
process.stdout.write(JSON.stringify(await playRest(mock, world.apiKey)));
