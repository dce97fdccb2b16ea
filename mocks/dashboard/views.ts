/** The parts of the page of which one is shown. */
export type ViewName = 'streams' | 'requests' | 'faults' | 'snapshots';

const views = [...document.querySelectorAll<HTMLElement>('[data-view]')];
const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')];

let shown: ViewName = 'streams';

/** The view that is shown. */
export function shownView(): ViewName {
  return shown;
}

/** What the address says after the view, such as the stream that was chosen. */
export function addressed(): string {
  return location.hash.split('/')[1] ?? '';
}

/** Writes into the address what is shown, so that a reload shows it again. */
export function address(view: ViewName, id: string): void {
  // A link to another view may just have been followed: that one is about to be shown.
  if ((addressedView() ?? view) === view) history.replaceState(null, '', `#${view}/${id}`);
}

/** None where the address names no view, as after the link that skips to the content. */
function addressedView(): ViewName | undefined {
  const [name = ''] = location.hash.slice(1).split('/');
  const known = views.some(({ dataset }) => dataset['view'] === name);
  return known ? (name as ViewName) : undefined;
}

/** Shows the view that the address names, now and whenever it changes. */
export function followAddress(changed: () => void): void {
  const follow = (): void => {
    shown = addressedView() ?? shown;
    for (const view of views) view.hidden = view.dataset['view'] !== shown;
    for (const link of links) {
      link.ariaCurrent = link.hash === `#${shown}` ? 'page' : null;
    }
    changed();
  };
  addEventListener('hashchange', follow);
  follow();
}
