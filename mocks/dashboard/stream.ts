import type { Session, Stream } from '../../interface/types.ts';
import { onPress } from './actions.ts';
import { find, setText } from './dom.ts';
import { createFacts } from './facts.ts';
import { prefix } from './page.ts';
import type { Context, Panel } from './panel.ts';
import { createPlayer } from './player.ts';
import { createRefresher } from './refresher.ts';
import { createSessionList } from './sessions.ts';
import { prepareStreamActions } from './stream-actions.ts';
import { curlFacts, livePlaylist, streamFacts } from './stream-facts.ts';

/** The stream that is shown, and what can be done with it. */
export interface StreamPanel extends Panel {
  /** Shows another stream, or none. */
  choose(id: string | undefined): Promise<void>;
  /** The stream that is shown or about to be. */
  chosen(): string | undefined;
  /** Moves the focus to the stream's name. */
  focus(): void;
}

/** What the rest of the page does when something happens here. */
interface StreamEvents {
  /** A stream is shown, or none. */
  readonly chosen: (id: string | undefined) => void;
  /** Something was changed. */
  readonly changed: () => Promise<void>;
}

/** Makes the part of the page that shows one stream. */
export function createStreamPanel(context: Context, events: StreamEvents): StreamPanel {
  const article = find('stream', HTMLElement);
  const heading = find('stream-heading', HTMLHeadingElement);
  const player = createPlayer();
  const show = createDisplay(context);
  let chosen: string | undefined;
  let stream: Stream | undefined;
  const sessions = createSessionList(player, () => refresh());
  const showNone = (): void => {
    chosen = stream = undefined;
    article.hidden = true;
    find('unchosen', HTMLElement).hidden = false;
    player.close();
    sessions.clear();
    events.chosen(undefined);
  };
  const load = async (id: string): Promise<void> => {
    const { body } = await context.api.call<Stream>(`GET ${prefix}/stream/${id}`);
    const loaded = await sessions.load(context.api, id);
    if (id !== chosen) return;
    stream = body;
    show(body);
    player.follow(loaded);
  };
  const refresh = createRefresher(async () => {
    const id = chosen;
    if (id === undefined) return;
    await load(id).catch((error: unknown) => {
      if (!isMissing(error) || id !== chosen) throw error;
      showNone();
    });
  });
  prepareStreamActions(context, {
    shown: () => {
      if (stream === undefined) throw new Error('stream: expected one to be chosen first');
      return stream;
    },
    changed: events.changed,
  });
  onPress(find('watch', HTMLButtonElement), async () => {
    if (stream === undefined) return undefined;
    const { body } = await context.api.call<Session[]>(
      `GET ${prefix}/stream/${stream.id}/sessions?limit=1`,
    );
    const [session] = body;
    if (session === undefined) throw new Error('watch: expected a live session, got none');
    player.watch(stream.name, livePlaylist(stream), session);
    return undefined;
  });
  return {
    refresh,
    clear: showNone,
    async choose(id) {
      if (id === undefined) return showNone();
      if (id !== chosen) {
        player.close();
        sessions.clear();
      }
      chosen = id;
      events.chosen(id);
      await refresh();
      find('unchosen', HTMLElement).hidden = stream !== undefined;
      article.hidden = stream === undefined;
    },
    chosen: () => chosen,
    focus: () => heading.focus(),
  };
}

/** Whether the service does not know what was asked for. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && error.cause === 404;
}

function createDisplay(context: Context): (stream: Stream) => void {
  const facts = createFacts(find('facts', HTMLDListElement), streamFacts);
  const curl = createFacts(
    find('curl', HTMLDListElement),
    curlFacts(() => context.api.apiKey),
  );
  return (stream) => {
    setText(find('stream-heading', HTMLHeadingElement), stream.name);
    find('stream-live', HTMLElement).hidden = !stream.isActive;
    setText(find('live', HTMLButtonElement), stream.isActive ? 'Stop' : 'Start');
    find('live', HTMLButtonElement).classList.toggle('main', !stream.isActive);
    find('watch', HTMLButtonElement).hidden = !stream.isActive;
    find('record', HTMLInputElement).checked = stream.record;
    find('record', HTMLInputElement).disabled = stream.isActive;
    find('record-hint', HTMLElement).hidden = !stream.isActive;
    facts(stream);
    curl(stream);
  };
}
