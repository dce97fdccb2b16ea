import { type Signal, signal } from '@preact/signals';
import { hiddenKey } from '../../../text/redact.ts';

/** What the server writes into the page. */
interface PageSettings {
  /** Path of the interface from the origin. */
  readonly prefix: string;
  /** The mock's own key; empty if the keys are secret. */
  readonly openKey: string;
  /** What the variants of the mock do, in a line for each. */
  readonly variants: readonly string[];
  /** Name of the mock's dialect; empty without one. */
  readonly dialect: string;
  /** The rules that the dialect breaks, each in a sentence. */
  readonly brokenRules: readonly string[];
}

const settingsJson =
  document.querySelector<HTMLMetaElement>('meta[name=settings]')?.content ?? '{}';

const settings: PageSettings = JSON.parse(settingsJson);

export const { prefix, variants, dialect, brokenRules }: PageSettings = settings;
const { openKey } = settings;

/** Whether any key of the form `test-…` is accepted, so that keys are no secrets. */
export const keysAreOpen: boolean = openKey !== '';

/** The message for a key that the service does not accept. */
export const unknownKey: string = `Unknown key. Use one ${keysAreOpen ? 'that begins with test-' : 'that this mock was started with'}.`;

const storageName = 'livestream-mock-key';

/** The key that was chosen in this tab, or else the mock's own; empty if neither is known. */
export function savedKey(): string {
  return sessionStorage.getItem(storageName) ?? openKey;
}

/** Keeps a key for as long as the tab is open. */
export function saveKey(key: string): void {
  sessionStorage.setItem(storageName, key);
}

/** Whether a key may appear on the screen. */
export function isPublic(key: string): boolean {
  return keysAreOpen && key.startsWith('test-');
}

/** A key as it appears on the screen. */
export function visibleKey(key: string): string {
  return isPublic(key) ? key : hiddenKey;
}

/** Where an app reaches the mock. */
export const baseUrl: string = location.origin + prefix;

/** The views of the page. One is visible at a time. */
export const viewNames = ['streams', 'requests', 'faults', 'world'] as const;

export type ViewName = (typeof viewNames)[number];

export const view: Signal<ViewName> = signal(viewInAddress() ?? 'streams');

/** The stream in the URL when the page was opened. */
export const streamInAddress: string | undefined = idInAddress();

/** The id of the fault to which a link leads; `undefined` if none does. */
export const linkedFault: Signal<string | undefined> = signal(idInAddress());

/** The id after the name of the view: `#streams/{id}`, `#faults/{id}`. */
function idInAddress(): string | undefined {
  return location.hash.split('/')[1] || undefined;
}

/** Writes what a view shows into the URL, so that a reload shows it again. */
export function addressDetail(name: ViewName, detail: string): void {
  // If the user has just followed a link to another view, that view comes next.
  if (view.value !== name || (viewInAddress() ?? name) !== name) return;
  history.replaceState(null, '', `#${name}${detail}`);
}

/** Shows the view that the URL names whenever the URL changes. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    view.value = viewInAddress() ?? view.value;
    linkedFault.value = idInAddress();
  });
}

/** `undefined` if the URL names no view, as after the skip link. */
function viewInAddress(): ViewName | undefined {
  const [name = ''] = location.hash.slice(1).split(/[/?]/);
  return viewNames.find((viewName) => viewName === name);
}
