import { hiddenKey } from '../../journal/hide-secrets.ts';

/** Path of the interface from the origin, which the server has written into the page. */
export const prefix: string = readMeta('api-prefix');

/** Name of the dialect that is served; empty without one. */
export const dialect: string = readMeta('dialect');

/** The rules of the interface that the dialect breaks, each in a sentence. */
export const brokenRules: readonly string[] = readMeta('broken-rules').split('\n').filter(Boolean);

/** The mock's own key where keys are open; empty where they are secrets. */
const openKey: string = readMeta('api-key');

const storageName = 'livestream-mock-key';

/** The key that was chosen in this tab, or the mock's own; empty where neither is known. */
export function keptKey(): string {
  return sessionStorage.getItem(storageName) ?? openKey;
}

/** Keeps a key for as long as the tab is open. */
export function keepKey(key: string): void {
  sessionStorage.setItem(storageName, key);
}

/** Whether a key may be shown on the screen. */
export function isShown(key: string): boolean {
  return openKey !== '' && key.startsWith('test-');
}

/** A key as the screen shows it. */
export function shownKey(key: string): string {
  return isShown(key) ? key : hiddenKey;
}

function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';
}
