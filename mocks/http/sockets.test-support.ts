import { connect } from 'node:net';

/** What a client does on a connection of its own. */
export interface SocketPlan {
  /** Latin-1, in which every character is a byte. */
  readonly bytes: string;
  /** What the client does after sending: it ends its side or breaks the connection. */
  readonly after: 'wait' | 'end' | 'destroy';
}

/** Everything that a server at a port of this machine sends, until it or the client closes the connection. */
export function talk(port: number, { bytes, after }: SocketPlan): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(bytes, 'latin1', () => {
        if (after === 'end') socket.end();
        if (after === 'destroy') socket.destroy();
      });
    });
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(answer));
  });
}

/** The statuses of the responses on one connection. */
export function statusesOf(answer: string): number[] {
  return [...answer.matchAll(/(?:^|\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
    Number(status),
  );
}
