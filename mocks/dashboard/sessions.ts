import type { Session } from '../../interface/types.ts';
import { onPress } from './actions.ts';
import type { Api } from './api.ts';
import { createCopyButton } from './copy.ts';
import { create, find, setText } from './dom.ts';
import { createTime, formatSeconds } from './format.ts';
import { createKeyedList } from './keyed-list.ts';
import { prefix } from './page.ts';
import { loadPages, pageLength, prepareMore } from './paged.ts';
import type { Player } from './player.ts';

/** The sessions of the stream that is shown. */
export interface SessionList {
  /** Loads and shows those of a stream. */
  load(api: Api, streamId: string): Promise<readonly Session[]>;
  clear(): void;
}

/** Makes the list of sessions; `refresh` is for when more of them are wanted. */
export function createSessionList(player: Player, refresh: () => Promise<void>): SessionList {
  const more = find('sessions-more', HTMLButtonElement);
  const list = find('sessions', HTMLUListElement);
  let length = pageLength;
  const show = createKeyedList<Session>({
    list,
    empty: find('sessions-empty', HTMLParagraphElement),
    heading: find('sessions-heading', HTMLHeadingElement),
    keyOf: ({ id }) => id,
    createRow: (session) => createRow(session, player),
  });
  prepareMore(more, list, () => {
    length += pageLength;
    return refresh();
  });
  return {
    async load(api, streamId) {
      const path = `${prefix}/stream/${streamId}/sessions`;
      const { records, isWhole } = await loadPages<Session>(api, path, length);
      show(records);
      more.hidden = isWhole;
      return records;
    },
    clear() {
      length = pageLength;
      show([]);
    },
  };
}

function createRow(session: Session, player: Player) {
  const begun = createTime(session.createdAt);
  const label = begun.textContent;
  const duration = create('span', { className: 'quiet' });
  const status = create('span');
  const play = createPlayButton('Play', `Play recording of ${label}`);
  const mp4 = createPlayButton('MP4', `MP4 of ${label}`);
  let shown = session;
  onPress(play, async () => {
    const { recordingUrl, mp4URL } = shown;
    player.play({ title: `Recording of ${label}`, hls: recordingUrl, mp4: mp4URL });
    return undefined;
  });
  onPress(mp4, async () => {
    player.play({ title: `MP4 of ${label}`, mp4: shown.mp4URL });
    return undefined;
  });
  const copy = createCopyButton('session id', () => session.id, 'Copy id');
  copy.ariaLabel = `Copy id of session ${label}`;
  const buttons = create('span', { className: 'inline end' }, play, mp4, copy);
  return {
    row: create('li', {}, begun, duration, status, buttons),
    update(session: Session) {
      shown = session;
      const { name, kind } = describeStatus(session);
      setText(duration, formatSeconds(session.sourceSegmentsDuration));
      setText(status, name);
      status.className = `badge ${kind}`;
      play.hidden = mp4.hidden = session.recordingUrl === undefined;
    },
  };
}

function createPlayButton(text: string, ariaLabel: string): HTMLButtonElement {
  return create('button', { type: 'button', className: 'small', ariaLabel }, text);
}

function describeStatus({ isActive, recordingStatus }: Session): { name: string; kind: string } {
  if (isActive) return { name: 'live', kind: 'live' };
  const name = recordingStatus ?? 'not recorded';
  return { name, kind: name };
}
