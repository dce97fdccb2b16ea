/** Path of the interface from the origin, which the server has written into the page. */
export const prefix: string = readMeta('api-prefix');

/** The mock's own key where keys are open; empty where they are secrets. */
const openKey: string = readMeta('api-key');

const storageName = 'livestream-mock-key';

/** The key that was chosen in this tab, or the mock's own; empty where neither is known. */
export function chosenKey(): string {
  return sessionStorage.getItem(storageName) ?? openKey;
}

/** Keeps a key for as long as the tab is open. */
export function chooseKey(apiKey: string): void {
  sessionStorage.setItem(storageName, apiKey);
}

/** Whether a key may be shown on the screen. */
export function isShown(apiKey: string): boolean {
  return openKey !== '' && apiKey.startsWith('test-');
}

function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';
}
