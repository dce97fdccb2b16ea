import { randomBytes, randomUUID } from 'node:crypto';

export interface Profile {
  readonly name: string;
  readonly bitrate: number;
  readonly fps: number;
  readonly width: number;
  readonly height: number;
}

export interface StreamSettings {
  readonly name: string;
  readonly record: boolean;
  readonly profiles: readonly Profile[] | undefined;
}

interface Entity {
  readonly id: string;
  /** Counts up over streams and sessions alike; lists are in its order. */
  readonly serial: number;
  readonly owner: string;
  readonly createdAt: number;
}

export interface Stream extends Entity {
  readonly kind: 'stream';
  readonly name: string;
  readonly profiles: readonly Profile[] | undefined;
  readonly streamKey: string;
  readonly playbackId: string;
  record: boolean;
  updatedAt: number;
  live: Session | undefined;
  deleted: boolean;
}

export interface Session extends Entity {
  readonly kind: 'session';
  readonly parentId: string;
  readonly record: boolean;
  readonly profiles: readonly Profile[];
  ended: { readonly at: number; readonly milliseconds: number } | undefined;
}

function newStreamKey(): string {
  const groups = Array.from({ length: 4 }, () => randomBytes(2).toString('hex'));
  return groups.join('-');
}

export class Store {
  readonly readyAfter: number;
  private readonly entities = new Map<string, Stream | Session>();
  private serial = 0;

  constructor(readyAfter: number) {
    this.readyAfter = readyAfter;
  }

  find(id: string): Stream | Session | undefined {
    return this.entities.get(id);
  }

  streams(owner: string): Stream[] {
    return [...this.entities.values()]
      .filter((entity) => entity.kind === 'stream')
      .filter((stream) => stream.owner === owner && !stream.deleted);
  }

  /** A session is shown only once it has ended. */
  sessions(owner: string): Session[] {
    return [...this.entities.values()]
      .filter((entity) => entity.kind === 'session')
      .filter((session) => session.owner === owner && session.ended !== undefined);
  }

  createStream(owner: string, settings: StreamSettings): Stream {
    const entity = this.newEntity(owner);
    const stream: Stream = {
      ...entity,
      ...settings,
      kind: 'stream',
      streamKey: newStreamKey(),
      playbackId: randomBytes(8).toString('hex'),
      updatedAt: entity.createdAt,
      live: undefined,
      deleted: false,
    };
    this.entities.set(stream.id, stream);
    return stream;
  }

  beginSession(stream: Stream): Session {
    const session: Session = {
      ...this.newEntity(stream.owner),
      kind: 'session',
      parentId: stream.id,
      record: stream.record,
      profiles: stream.profiles ?? [],
      ended: undefined,
    };
    this.entities.set(session.id, session);
    stream.live = session;
    return session;
  }

  /** Without `seconds`, the session lasted as long as it really was live. */
  endSession(stream: Stream, session: Session, seconds?: number): void {
    const at = Date.now();
    const milliseconds =
      seconds === undefined ? Math.max(1, at - session.createdAt) : Math.round(seconds * 1000);
    session.ended = { at, milliseconds };
    stream.live = undefined;
  }

  isReady(session: Session): boolean {
    if (!session.record || session.ended === undefined) return false;
    return Date.now() - session.ended.at >= this.readyAfter;
  }

  private newEntity(owner: string): Entity {
    this.serial += 1;
    return { id: randomUUID(), serial: this.serial, owner, createdAt: Date.now() };
  }
}
