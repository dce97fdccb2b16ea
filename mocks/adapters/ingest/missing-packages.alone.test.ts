import { expect, test, vi } from 'vitest';
import { createMock } from '../../mock.ts';
import { serve } from '../node/node.ts';

function missing(): never {
  throw new Error('Cannot find package');
}

vi.mock('node-media-server/src/protocol/rtmp.js', missing);
vi.mock('werift', missing);

test.each([
  [
    { rtmp: 0 },
    'rtmp: expected the package node-media-server 4, got none; "npm install node-media-server@4" installs it',
  ],
  [
    { whip: true },
    'whip: expected the package werift 0.24, got none; "npm install werift@0.24" installs it',
  ],
])('serve(mock, %j) says which package is missing', async (options, message) => {
  await expect(serve(createMock(), options)).rejects.toThrow(message);
});
