import { fileURLToPath } from 'node:url';

/** The built command line. */
export const program: string = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** Arguments of Node that serve this project at a port. */
export function serveArgs(...more: readonly string[]): (port: number) => string[] {
  return (port) => [program, 'serve', '--json', '--port', String(port), ...more];
}
