import type { Api } from './api.ts';

/** Name of an event. */
export type EventName = 'state' | 'clock' | 'exchange' | 'faults';

/** What is called for the events of a world. */
export interface Listener {
  readonly connected: () => void;
  readonly happened: (names: ReadonlySet<EventName>, now: number) => void;
}

/**
 * Reads the events of a world until they end. An `EventSource` cannot send a key, so this reads the
 * stream itself.
 * @throws Refusal when the service refuses; Error when the connection breaks.
 */
export async function readEvents(api: Api, listener: Listener): Promise<void> {
  const { body } = await api.open('GET /_mock/events');
  if (body === null) return;
  listener.connected();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += piece.value;
    const end = text.lastIndexOf('\n\n');
    if (end === -1) continue;
    tell(text.slice(0, end), listener);
    text = text.slice(end + 2);
  }
}

/** Events that came together are told together, so that what they change is loaded once. */
function tell(text: string, { happened }: Listener): void {
  const names = [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name as EventName);
  const times = [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '{}']) => JSON.parse(data).now);
  happened(new Set(names), times.at(-1));
}
