import { type Signal, signal } from '@preact/signals';

/** The parts of the page, of which one is shown. */
export const viewNames = ['streams', 'requests', 'faults', 'world'] as const;

export type ViewName = (typeof viewNames)[number];

/** The view that is shown. */
export const view: Signal<ViewName> = signal(addressedView() ?? 'streams');

/** What the address said after the view when the page was opened, such as the stream that was chosen. */
export const addressedStream: string | undefined = location.hash.split('/')[1] || undefined;

/** Writes into the address which stream is shown, so that a reload shows it again. */
export function addressStream(id: string | undefined): void {
  // A link to another view may just have been followed: that one is about to be shown.
  if (view.value !== 'streams' || (addressedView() ?? 'streams') !== 'streams') return;
  history.replaceState(null, '', `#streams/${id ?? ''}`);
}

/** Shows the view that the address names whenever the address changes. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    view.value = addressedView() ?? view.value;
  });
}

/** None where the address names no view, as after the link that skips to the content. */
function addressedView(): ViewName | undefined {
  const [name = ''] = location.hash.slice(1).split('/');
  return viewNames.find((known) => known === name);
}
