const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Makes a long list one stop of the Tab key; arrow keys, Home and End move within it. `selector`
 * finds what has the focus in each row.
 */
export function prepareRoving(list: HTMLElement, selector: string): void {
  let stop: HTMLElement | undefined;
  const targets = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>(selector)];
  const mark = (): void => {
    const all = targets();
    if (stop === undefined || !list.contains(stop)) stop = all[0];
    for (const target of all) target.tabIndex = target === stop ? 0 : -1;
  };
  list.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches(selector) || target === stop) return;
    if (stop !== undefined) stop.tabIndex = -1;
    stop = target;
    stop.tabIndex = 0;
  });
  list.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    const all = targets();
    const at = all.indexOf(event.target as HTMLElement);
    if (step === undefined || at === -1) return;
    event.preventDefault();
    all[step(at, all.length - 1)]?.focus();
  });
  new MutationObserver(mark).observe(list, { childList: true });
}
