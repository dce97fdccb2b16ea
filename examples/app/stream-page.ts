import type { Session, Stream } from 'livestream-mock';
import { element } from './dom.ts';
import type { Player } from './player.ts';
import { recordSwitch } from './record-switch.ts';
import { sessionList } from './session-list.ts';

/** One stream: its stream key, its recording switch, and its sessions. */
export interface StreamPage {
  readonly element: HTMLElement;
  show(stream: Stream | undefined, sessions: readonly Session[]): void;
}

/** What a stream's page needs. */
export interface StreamPageParts {
  readonly setRecord: (record: boolean) => Promise<boolean>;
  readonly player: Player;
  /** The test encoder, if there is one. */
  readonly encoder: readonly HTMLElement[];
}

/** Makes the page of a stream. */
export function streamPage({ setRecord, player, encoder }: StreamPageParts): StreamPage {
  const name = element('h2');
  const streamKey = element('code');
  const switcher = recordSwitch(setRecord);
  const sessions = sessionList(player.play);
  const page = element(
    'section',
    { className: 'card', ariaLabel: 'Stream' },
    name,
    element('p', {}, 'Stream key ', streamKey),
    switcher.element,
    ...encoder,
    player.element,
    sessions.element,
  );
  return {
    element: page,
    show(stream, listed) {
      page.hidden = stream === undefined;
      if (stream === undefined) return;
      name.textContent = stream.name;
      streamKey.textContent = stream.streamKey;
      switcher.show(stream);
      sessions.show(listed);
    },
  };
}
