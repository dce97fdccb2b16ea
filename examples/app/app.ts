import type { NewStream, Session, Stream } from 'livestream-mock';
import type { Send, Service } from './api.ts';
import { element } from './dom.ts';
import { testEncoder } from './encoder.ts';
import type { Notices } from './notices.ts';
import { createPlayer } from './player.ts';
import { streamForm } from './stream-form.ts';
import { streamList } from './stream-list.ts';
import { streamPage } from './stream-page.ts';
import { keepUpdated } from './updates.ts';

/** What the app needs. */
export interface AppOptions {
  readonly service: Service;
  /** The mock's control API, if there is one. */
  readonly control: Send | undefined;
  readonly notices: Notices;
}

/** What the page shows. */
interface PageData {
  readonly streams: readonly Stream[];
  readonly stream: Stream | undefined;
  readonly sessions: readonly Session[];
}

/** Puts the app together, and keeps it up to date. */
export function startApp(root: Element, { service, control, notices }: AppOptions): void {
  /** The id of the stream on the page. The selected one may still be loading. */
  let streamId = '';
  const updates = keepUpdated(() => loadPage(service), showPage, notices);
  const list = streamList();
  const player = createPlayer(notices.failed);
  const page = streamPage({
    setRecord: (record) =>
      updates.act(`Recording is ${record ? 'on' : 'off'}.`, () =>
        service.setRecord(streamId, record),
      ),
    player,
    encoder: control === undefined ? [] : [testEncoder(control, () => streamId, updates.act)],
  });
  const form = streamForm((stream) =>
    updates.act(`${stream.name} was created.`, () => createAndSelect(service, stream)),
  );
  root.append(element('div', { className: 'side' }, form, list.element), page.element);

  function showPage({ streams, stream, sessions }: PageData): void {
    const isListed = streams.some(({ id }) => id === selected());
    if (stream !== undefined && !isListed) history.replaceState(null, '', `#${stream.id}`);
    streamId = stream?.id ?? '';
    list.show(streams, streamId);
    page.show(stream, sessions);
  }

  addEventListener('hashchange', () => {
    player.stop();
    notices.clear();
    updates.refresh().catch(notices.failed);
  });
  void updates.poll();
}

/** The newest streams, and the sessions of the selected stream, or else of the newest. */
async function loadPage(service: Service): Promise<PageData> {
  const streams = await service.listStreams();
  const stream = streams.find(({ id }) => id === selected()) ?? streams[0];
  const sessions = stream === undefined ? [] : await service.listSessions(stream.id);
  return { streams, stream, sessions };
}

async function createAndSelect(service: Service, stream: NewStream): Promise<void> {
  const { id } = await service.createStream(stream);
  location.hash = id;
}

/** The id of the selected stream. The URL keeps it across reloads. */
function selected(): string {
  return location.hash.slice(1);
}
