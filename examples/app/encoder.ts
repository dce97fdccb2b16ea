import type { Send } from './api.ts';
import { element } from './dom.ts';

/**
 * Buttons that act as an encoder through the mock's control API. `act` runs the action of a button
 * and shows the result.
 */
export function testEncoder(
  control: Send,
  streamId: () => string,
  act: (done: string, action: () => Promise<unknown>) => void,
): HTMLElement {
  const start = (): Promise<unknown> => control('POST', `/streams/${streamId()}/start`);
  const stop = (): Promise<unknown> => control('POST', `/streams/${streamId()}/stop`);
  const advance = (): Promise<unknown> => control('POST', '/clock', { advance: '10m' });
  const button = (text: string, done: string, action: () => Promise<unknown>): HTMLButtonElement =>
    element('button', { onclick: () => act(done, action) }, text);
  return element(
    'section',
    { className: 'encoder', ariaLabel: 'Test encoder' },
    element('h3', {}, 'Test encoder'),
    element('p', {}, 'Only with a mock: acts as an encoder, and moves the clock.'),
    button('Go live', 'The stream is live.', start),
    button('Advance 10 min', 'Ten minutes have passed.', advance),
    button('Stop', 'The stream has ended.', stop),
  );
}
