import type { Session } from 'livestream-mock';
import { element, showItems } from './dom.ts';
import { formatDuration, formatTime } from './format.ts';

/** The sessions of one stream. */
export interface SessionList {
  readonly element: HTMLElement;
  /** Shows them in the given order. */
  show(sessions: readonly Session[]): void;
}

/** Makes the list of sessions; `play` gets the URL of a recording. */
export function sessionList(play: (url: string, title: string) => void): SessionList {
  const list = element('ul', { className: 'sessions' });
  const none = element('p', {}, 'No sessions yet.');
  return {
    element: element(
      'section',
      { ariaLabel: 'Sessions' },
      element('h3', {}, 'Sessions'),
      none,
      list,
    ),
    show(sessions) {
      none.hidden = sessions.length > 0;
      showItems(list, sessions, (session) => renderSession(session, play));
    },
  };
}

function renderSession(
  session: Session,
  play: (url: string, title: string) => void,
): HTMLLIElement {
  const title = formatTime(session.createdAt);
  const status = sessionStatus(session);
  // A recording may have addresses before it can be played.
  const { recordingUrl, mp4URL } = status === 'ready' ? session : {};
  const button = (text: string, url: string): HTMLButtonElement =>
    element('button', { ariaLabel: `${text} ${title}`, onclick: () => play(url, title) }, text);
  return element(
    'li',
    {},
    element('span', { className: 'name' }, title),
    element('span', { className: `badge ${status}` }, status),
    element('span', { className: 'duration' }, formatDuration(session.sourceSegmentsDuration)),
    ...(recordingUrl === undefined ? [] : [button('Play', recordingUrl)]),
    ...(mp4URL === undefined ? [] : [button('Play MP4', mp4URL)]),
  );
}

function sessionStatus({ isActive, record, recordingStatus }: Session): string {
  if (isActive) return 'live';
  return record ? (recordingStatus ?? 'waiting') : 'not recorded';
}
