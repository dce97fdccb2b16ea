import { readFileSync } from 'node:fs';
import { runProgram } from './processes.ts';

/** Megabytes of memory that a process holds now. */
export async function residentMegabytes(pid: number): Promise<number> {
  return (await residentKilobytes(pid)) / 1024;
}

async function residentKilobytes(pid: number): Promise<number> {
  if (process.platform !== 'linux') {
    return Number(await runProgram('ps', ['-o', 'rss=', '-p', String(pid)]));
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
}
