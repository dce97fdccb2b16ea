import { recommendedProfiles } from '../../interface/ladder.ts';
import type { Stream } from '../../interface/types.ts';
import { onSend } from './actions.ts';
import { create, find, readForm, setText } from './dom.ts';
import { createKeyedList } from './keyed-list.ts';
import { prefix } from './page.ts';
import { loadPages, pageLength, prepareMore } from './paged.ts';
import type { Context, Panel } from './panel.ts';
import { createRefresher } from './refresher.ts';
import { prepareRoving } from './roving.ts';

/** The list of streams, and the form that creates one. */
export interface StreamsPanel extends Panel {
  /** Marks the stream that is shown beside the list. */
  mark(id: string | undefined): void;
  /** The newest stream, if there is one. */
  first(): string | undefined;
  /** Whether a stream is certainly not there: a list that is not whole cannot tell. */
  lacks(id: string): boolean;
}

/** Makes the list of streams; `choose` shows one. */
export function createStreamsPanel(
  context: Context,
  choose: (id: string) => Promise<void>,
): StreamsPanel {
  const more = find('streams-more', HTMLButtonElement);
  const list = find('streams', HTMLUListElement);
  const search = find('streams-filter', HTMLInputElement);
  const empty = find('streams-empty', HTMLParagraphElement);
  let streams: readonly Stream[] = [];
  let chosen: string | undefined;
  let length = pageLength;
  const showRows = createKeyedList<Stream>({
    list,
    empty,
    heading: find('streams-heading', HTMLHeadingElement),
    keyOf: ({ id }) => id,
    createRow: ({ id }) =>
      createRow(
        () => choose(id),
        () => id === chosen,
      ),
  });
  const show = (): void => {
    const wanted = search.value.trim().toLowerCase();
    setText(empty, wanted === '' ? 'There is no stream yet.' : describeUnfound(!more.hidden));
    showRows(streams.filter(({ name }) => name.toLowerCase().includes(wanted)));
  };
  search.addEventListener('input', show);
  prepareRoving(list, 'button');
  const refresh = createRefresher(async () => {
    const { records, isWhole } = await loadPages<Stream>(context.api, `${prefix}/stream`, length);
    streams = records;
    more.hidden = isWhole;
    show();
  });
  prepareMore(more, list, () => {
    length += pageLength;
    return refresh();
  });
  prepareForm(context, async ({ id }) => {
    search.value = '';
    await refresh();
    await choose(id);
  });
  return {
    refresh,
    clear() {
      streams = [];
      length = pageLength;
      search.value = '';
      show();
    },
    mark(id) {
      chosen = id;
      show();
    },
    first: () => streams[0]?.id,
    lacks: (id) => more.hidden && !streams.some((stream) => stream.id === id),
  };
}

function describeUnfound(isPart: boolean): string {
  return isPart ? 'None of the streams loaded so far fits.' : 'No stream fits.';
}

function createRow(choose: () => void, isChosen: () => boolean) {
  const name = create('span');
  const live = create('span', { className: 'badge live' }, 'live');
  const record = create('span', { className: 'badge' }, 'rec');
  const button = create('button', { type: 'button', className: 'stream' });
  button.append(name, ' ', live, ' ', record);
  button.addEventListener('click', choose);
  return {
    row: create('li', {}, button),
    update(stream: Stream) {
      setText(name, stream.name);
      live.hidden = !stream.isActive;
      record.hidden = !stream.record;
      button.ariaCurrent = isChosen() ? 'true' : null;
    },
  };
}

function prepareForm(context: Context, created: (stream: Stream) => Promise<void>): void {
  const form = find('create-form', HTMLFormElement);
  onSend(form, async () => {
    const { name, profiles, record } = readForm(form);
    const { body } = await context.api.call<Stream>(`POST ${prefix}/stream`, {
      name,
      ...(profiles !== undefined && { profiles: recommendedProfiles }),
      record: record !== undefined,
    });
    await created(body);
    find('create-name', HTMLInputElement).value = '';
    return `Created ${body.name}.`;
  });
}
