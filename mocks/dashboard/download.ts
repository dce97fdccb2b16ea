import type { Api } from './api.ts';
import { create } from './dom.ts';

/** Saves an answer as a file. A link alone could not send the key. */
export async function download(api: Api, path: string, name: string): Promise<string> {
  const response = await api.open(`GET ${path}`);
  const href = URL.createObjectURL(await response.blob());
  create('a', { href, download: name }).click();
  URL.revokeObjectURL(href);
  return `Downloaded ${name}.`;
}
