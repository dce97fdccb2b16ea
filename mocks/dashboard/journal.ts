import { clientOperationNames } from '../../interface/operation-names.ts';
import type { Exchange } from '../journal/exchange.ts';
import { onPress, onSend } from './actions.ts';
import { create, find, readForm, setText } from './dom.ts';
import { download } from './download.ts';
import { createDetails } from './exchange-details.ts';
import { createExactTime } from './format.ts';
import { createKeyedList } from './keyed-list.ts';
import type { Context, Panel } from './panel.ts';
import { createRefresher } from './refresher.ts';
import { prepareRoving } from './roving.ts';

/** Exchanges that the service keeps, and that are shown. */
const journalLength = 1000;

/** Makes the list of what clients have sent and been answered. */
export function createJournalPanel(context: Context): Panel {
  const form = find('filter-form', HTMLFormElement);
  const showAll = find('show-all', HTMLButtonElement);
  const list = find('requests', HTMLUListElement);
  const empty = find('requests-empty', HTMLParagraphElement);
  const heading = find('requests-heading', HTMLHeadingElement);
  let exchanges: readonly Exchange[] = [];
  let chosen = new URLSearchParams();
  /** The one that was chosen, once it has been loaded. */
  let filter: URLSearchParams | undefined = chosen;
  const show = createKeyedList<Exchange>({
    list,
    empty,
    heading,
    // Numbers go on after a reset, but an imported state brings its own.
    keyOf: ({ number, at, request }) => `${number} ${at} ${request.url}`,
    createRow: (exchange) => ({ row: createRow(exchange, context) }),
  });
  const load = async (wanted: URLSearchParams, from?: Exchange): Promise<Exchange[]> => {
    const query = new URLSearchParams(wanted);
    // Not by time: a snapshot that is restored puts the clock back.
    if (from !== undefined) query.set('from', String(from.number));
    const { body } = await context.api.call<Exchange[]>(`GET /_mock/requests?${query}`);
    return body;
  };
  const refresh = createRefresher(async () => {
    const last = exchanges.at(-1);
    const asked = filter;
    if (asked === undefined) return;
    const latest = await load(asked, last);
    if (asked !== filter) return;
    const known = last && latest.findIndex((exchange) => isSame(exchange, last));
    // Without the last one that is known, the journal has been cleared or replaced.
    const isContinued = known !== undefined && known !== -1;
    if (isContinued) exchanges = [...exchanges, ...latest.slice(known + 1)].slice(-journalLength);
    else exchanges = last === undefined ? latest : await load(asked);
    show(exchanges.toReversed());
  });
  const clear = (): void => {
    exchanges = [];
    show(exchanges);
  };
  const apply = async (wanted: URLSearchParams): Promise<string | undefined> => {
    chosen = wanted;
    // Rather nothing than what fits the filter before.
    filter = undefined;
    clear();
    showAll.hidden = false;
    setText(empty, 'Filtering …');
    const found = await load(wanted).catch((error: unknown) => {
      if (chosen === wanted) setText(empty, 'No request is shown: the filter failed.');
      throw error;
    });
    // Another one has been chosen meanwhile.
    if (chosen !== wanted) return undefined;
    exchanges = found;
    filter = wanted;
    showAll.hidden = wanted.size === 0;
    setText(empty, wanted.size === 0 ? 'No request yet.' : 'No request fits this filter.');
    // What came while this was loading.
    await refresh();
    return `${exchanges.length} requests are shown.`;
  };
  find('filter-operation', HTMLSelectElement).append(
    ...clientOperationNames.map((name) => create('option', {}, name)),
  );
  prepareRoving(list, 'summary');
  onSend(form, () => apply(new URLSearchParams(readForm(form))));
  onPress(showAll, () => {
    form.reset();
    heading.focus();
    return apply(new URLSearchParams());
  });
  onPress(find('download-har', HTMLButtonElement), () =>
    download(context.api, `/_mock/requests.har?${filter ?? ''}`, 'livestream-mock.har'),
  );
  return { refresh, clear };
}

function isSame(left: Exchange, right: Exchange): boolean {
  return left.number === right.number && left.at === right.at;
}

function createRow(exchange: Exchange, context: Context): HTMLElement {
  const { at, operation = 'unknown route', request, answer } = exchange;
  const details = create(
    'details',
    { className: 'exchange' },
    create(
      'summary',
      { className: 'exchange-line' },
      create(
        'span',
        { className: `badge ${statusKind(answer.status)}` },
        String(answer.status || 'broken'),
      ),
      create('code', {}, `${request.method} ${pathOf(request.url)}`),
      create('span', { className: 'quiet' }, operation),
      createExactTime(at),
    ),
  );
  const unfold = (): void => details.append(createDetails(exchange, context.api.apiKey));
  details.addEventListener('toggle', unfold, { once: true });
  return create('li', {}, details);
}

/** An address that held the key is none any more. */
function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function statusKind(status: number): string {
  return status >= 200 && status < 400 ? 'ready' : 'failed';
}
