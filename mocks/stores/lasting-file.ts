import { type FileHandle, open } from 'node:fs/promises';

const openFiles = new Set<FileHandle>();

/**
 * Opens a file that stays open until {@link closeLasting}, or until the process ends. A store that nobody closes would
 * otherwise lose its file to garbage collection, which ends the process from Node 26 on.
 * @throws Error of Node if it cannot be opened.
 */
export async function openLasting(path: string, flags: 'r' | 'a'): Promise<FileHandle> {
  const file = await open(path, flags);
  openFiles.add(file);
  return file;
}

export async function closeLasting(file: FileHandle): Promise<void> {
  openFiles.delete(file);
  await file.close();
}
