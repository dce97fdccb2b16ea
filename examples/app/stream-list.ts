import type { Stream } from 'livestream-mock';
import { element, showItems } from './dom.ts';
import { formatTime } from './format.ts';

/** The list of streams. */
export interface StreamList {
  readonly element: HTMLElement;
  show(streams: readonly Stream[], shownId: string): void;
}

/** Makes the list of streams. Each is a link to `#` followed by its id. */
export function streamList(): StreamList {
  const list = element('ul', { className: 'streams' });
  return {
    element: element('nav', { ariaLabel: 'Streams', className: 'card' }, list),
    show(streams, shownId) {
      // Only the fields that an item shows, so that other changes do not replace it.
      const items = streams.map(({ id, name, createdAt, isActive }) => ({
        id,
        name,
        createdAt,
        isActive,
      }));
      showItems(list, items, renderItem);
      for (const link of list.querySelectorAll('a')) {
        link.ariaCurrent = link.hash === `#${shownId}` ? 'true' : null;
      }
    },
  };
}

type Item = Pick<Stream, 'id' | 'name' | 'createdAt' | 'isActive'>;

function renderItem({ id, name, createdAt, isActive }: Item): HTMLLIElement {
  const live = isActive ? [element('span', { className: 'badge live' }, 'live')] : [];
  return element(
    'li',
    {},
    element(
      'a',
      { href: `#${id}` },
      element('span', { className: 'name' }, name),
      ...live,
      element('small', {}, formatTime(createdAt)),
    ),
  );
}
