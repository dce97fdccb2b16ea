import {
  type ListenPlan,
  type MockServer,
  startServer,
} from '../mocks/adapters/node/http-server.ts';
import type { Mock } from '../mocks/mock.ts';
import { ArgumentError, asArgumentError } from './arguments.ts';

/** Serves a mock. @throws ArgumentError that says why it cannot listen there, and what to do. */
export async function listen(mock: Mock, plan: ListenPlan): Promise<MockServer> {
  const { host, port } = plan;
  try {
    return await startServer(mock, plan);
  } catch (error) {
    if (error instanceof RangeError) throw asArgumentError(error);
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const explain = listenErrors[code as keyof typeof listenErrors];
    throw new ArgumentError(
      explain?.(host, port) ?? `option --host: cannot listen on ${host}, port ${port} (${code})`,
    );
  }
}

const listenErrors = {
  EADDRINUSE: (host: string, port: number) =>
    `option --port: port ${port} of ${host} is in use; choose another, or 0 for any free one`,
  EACCES: (_host: string, port: number) =>
    `option --port: this user may not listen on port ${port}; choose one from 1024 up`,
  EADDRNOTAVAIL: (host: string) => `option --host: ${host} is not an address of this machine`,
  ENOTFOUND: (host: string) => `option --host: ${host} is not known`,
} as const;
