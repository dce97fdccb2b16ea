import { api } from '../state/connection.ts';

/** Saves a response as a file. A link alone could not send the key. */
export async function download(path: string, name: string): Promise<string> {
  const response = await api.value.open(`GET ${path}`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
  return `Downloaded ${name}.`;
}
