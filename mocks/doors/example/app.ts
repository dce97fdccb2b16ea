import type { NewStream } from 'livestream-mock';
import type { Send, Service } from './api.ts';
import { element } from './dom.ts';
import { testEncoder } from './encoder.ts';
import type { Notices } from './notices.ts';
import { createPlayer } from './player.ts';
import { streamForm } from './stream-form.ts';
import { streamList } from './stream-list.ts';
import { streamPage } from './stream-page.ts';

/** What the app is made from. */
export interface AppParts {
  readonly service: Service;
  /** The mock's control API, where there is one. */
  readonly control: Send | undefined;
  readonly notices: Notices;
}

/** How often the service is asked for news, in milliseconds: the interface knows no events. */
const pause = 1000;

/** Puts the app together, and keeps it up to date. */
export function startApp(root: Element, { service, control, notices }: AppParts): void {
  const list = streamList();
  const player = createPlayer((text) => notices.failed(text));
  const page = streamPage({
    setRecord: (record) =>
      act(`Recording is ${record ? 'on' : 'off'}.`, () => service.setRecord(selected(), record)),
    player,
    encoder: control === undefined ? [] : [testEncoder(control, selected, act)],
  });
  root.append(
    element('div', { className: 'side' }, streamForm(create), list.element),
    page.element,
  );

  /** Counts what has been begun: an answer to something older than the last is out of date. */
  let turn = 0;
  let lost = false;

  async function refresh(): Promise<void> {
    turn += 1;
    const mine = turn;
    const streams = await service.listStreams();
    const stream = streams.find(({ id }) => id === selected()) ?? streams[0];
    const sessions = stream === undefined ? [] : await service.listSessions(stream.id);
    if (mine !== turn) return;
    if (stream !== undefined && selected() !== stream.id)
      history.replaceState(null, '', `#${stream.id}`);
    list.show(streams, selected());
    page.show(stream, sessions);
  }

  async function act(done: string, action: () => Promise<unknown>): Promise<boolean> {
    turn += 1;
    try {
      await action();
      await refresh();
      notices.done(done);
      return true;
    } catch (error) {
      notices.failed(error);
      return false;
    }
  }

  function create(stream: NewStream): Promise<boolean> {
    return act(`${stream.name} is created.`, async () => {
      const { id } = await service.createStream(stream);
      location.hash = id;
    });
  }

  async function poll(): Promise<void> {
    try {
      await refresh();
      if (lost) notices.clear();
      lost = false;
    } catch (error) {
      lost = true;
      notices.failed(error);
    }
    setTimeout(poll, pause);
  }

  addEventListener('hashchange', () => {
    player.stop();
    notices.clear();
    refresh().catch(notices.failed);
  });
  void poll();
}

/** The identifier of the stream that is looked at: the address keeps it over a reload. */
function selected(): string {
  return location.hash.slice(1);
}
