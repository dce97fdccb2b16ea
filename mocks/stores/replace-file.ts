import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Puts `text` in the place of a file's contents. Whoever reads the file, even after the process or
 * the machine broke down in between, finds the old text or the new one, whole.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.tmp`;
  // What a killed process has left there could be open to others.
  await rm(beside, { force: true });
  await writeThrough(beside, text);
  await rename(beside, path);
  await syncFolder(dirname(path));
}

async function writeThrough(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Until its folder is on the disk as well, a new name may be forgotten. Windows knows no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
