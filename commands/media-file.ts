import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readAll } from '../mocks/media/bytes.ts';
import { loadLoops, sourceLoop } from '../mocks/media/loop.ts';
import { createMp4 } from '../mocks/media/mp4.ts';
import { framesIn } from '../mocks/media/timeline.ts';

const mediaSeconds = 10;

/** Writes an MP4 of ten seconds, for an encoder to send, into a folder; returns its path. */
export async function writeMediaFile(folder: string): Promise<string> {
  const file = join(folder, 'media.mp4');
  const source = createMp4(sourceLoop(await loadLoops()), framesIn(mediaSeconds));
  await writeFile(file, readAll(source));
  return file;
}
