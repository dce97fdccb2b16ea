import { find } from './dom.ts';

/** On a narrow screen what steers the world is folded away behind a button. */
export function prepareControls(unfolded: boolean): void {
  const button = find('controls', HTMLButtonElement);
  button.ariaExpanded = String(unfolded);
  button.addEventListener('click', () => {
    button.ariaExpanded = String(button.ariaExpanded !== 'true');
  });
}
