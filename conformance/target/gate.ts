import { isObject } from '../../interface/json.ts';

/** An id that no target has given to a stream: another one in each process, as one that is known may be in use. */
export const unknownId: string = `00000000-0000-4000-8000-${crypto.randomUUID().slice(-12)}`;
/** What a client sends by mistake where it has no id. */
export const notAnId = 'undefined';
/** A path at which no target has an operation. */
export const unknownPath = '/no-such-path';

/** The one way to a target: it lets no request pass that may change what this run did not create. */
export type WriteGate = ReturnType<typeof createGate>;

/** What is read of a response. */
interface Learned {
  readonly status: number;
  /** Throws where the body is no JSON. */
  readonly json: unknown;
}

/** A stream or session in a response. */
type Shown = Readonly<Record<string, unknown>>;

/** A request as it is sent. */
interface Outgoing {
  readonly method?: string | undefined;
  readonly url: string;
}

/** A request that was not sent, as it might have changed what this run did not create: a fault of this program. */
export class ForeignWrite extends Error {
  override readonly name = 'ForeignWrite';
}

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The path below the base address that creates a stream, as a careless server takes it. */
export const creationPath: RegExp = /^\/stream\/?$/i;
/** What a request may write to: a stream or a session, or something below it. */
const pathOfOne = /^\/(?:stream|session)\/([^/]+)(?:\/[a-z]+)?\/?$/i;
const pathOfSome = /^\/(?:stream|session)(?:\/|$)/i;
const sessionsPath = /^\/stream\/([^/]+)\/sessions$/i;
/** Streams and sessions, wherever a service has them. */
const pathWithStreams = /\/(?:stream|session)s?(?:\/|$)/i;
const controlPath = /^\/streams\/([^/]+)\/(start|stop)$/;
/** An id, or a part of a path, that cannot mean another one, however a careless server decodes it. */
const plain = /^(?!\.*$)[\w.~!'()*:@=+$,;&-]+$/;

/** Whether a request with this method only reads. */
export function isReading(method = 'GET'): boolean {
  return readingMethods.has(method);
}

/** A gate that knows of nothing yet. */
export function createGate() {
  const bases = { interface: new Set<string>(), control: new Set<string>() } as const;
  /** Created or invented by this run. */
  const own = new Set<string>([unknownId, notAnId]);
  /** Never of this run, whatever a target says later; in lower case, as a careless server reads them. */
  const foreign = new Set<string>();
  /** Requests to which the user consented. */
  const allowed = new Set<string>();
  let isReadOnly = false;
  let hasCreated = false;
  let refused: ForeignWrite | undefined;

  /** The paths below the addresses of a kind: two may lie in each other. */
  const pathsBelow = (kind: keyof typeof bases, url: string): string[] => {
    const [address = ''] = url.split(/[?#]/);
    return [...bases[kind]].flatMap((base) =>
      address.startsWith(`${base}/`) ? [address.slice(base.length)] : [],
    );
  };
  const isForeign = (id: unknown): boolean => foreign.has(asText(id).toLowerCase());
  const owns = (id: unknown): boolean => own.has(asText(id)) && !isForeign(id);
  const protect = (id: unknown): void => {
    if (asText(id) !== '') foreign.add(asText(id).toLowerCase());
  };
  const adopt = (id: unknown): void => {
    if (plain.test(asText(id)) && !isForeign(id)) own.add(asText(id));
  };

  const mayWrite = ({ method }: Outgoing, path: string): boolean =>
    (method === 'POST' && creationPath.test(path)) ||
    path.toLowerCase().replace(/\/$/, '') === unknownPath ||
    owns(decode(pathOfOne.exec(path)?.[1]));
  const mayControl = ({ method }: Outgoing, path: string): boolean =>
    method === 'POST' && owns(decode(controlPath.exec(path)?.[1]));
  const mayPass = (request: Outgoing): boolean => {
    const { href, search } = new URL(request.url);
    // A careless server takes an id from the query, too.
    if (isReadOnly || search !== '') return false;
    return (
      allowed.has(nameOf(request)) ||
      pathsBelow('interface', href).some((path) => mayWrite(request, path)) ||
      pathsBelow('control', href).some((path) => mayControl(request, path))
    );
  };
  /** Whether a user can consent to what lies at a path: it names nothing that this run did not create. */
  const isAllowable = (path: string): boolean => {
    const parts = path.slice(1).split('/');
    return (
      parts.every((part) => plain.test(part) && !isForeign(part)) && !pathWithStreams.test(path)
    );
  };
  const note = ({ id, parentId, playbackId }: Shown, listedFor: string): void => {
    if (!hasCreated) [id, parentId, playbackId].forEach(protect);
    if (owns(parentId)) adopt(id);
    else if (asText(parentId) !== '' || isForeign(id) || (listedFor !== '' && !owns(listedFor))) {
      [id, playbackId].forEach(protect);
    }
  };
  const isCreation = ({ method, url }: Outgoing): boolean =>
    method === 'POST' &&
    (pathsBelow('interface', url).some((path) => creationPath.test(path)) ||
      pathsBelow('control', url).some((path) => controlPath.exec(path)?.[2] === 'start'));

  return {
    /** Requests of the interface go below this address. */
    addBase: (address: string) => void bases.interface.add(withoutSlash(address)),
    /** Requests of the control API, which may lie below or above the interface, go below this address. */
    addControl: (address: string) => void bases.control.add(withoutSlash(address)),
    /** Lets no request pass that writes. */
    forbidWrites(): void {
      isReadOnly = true;
    },
    /** The user named a stream, which is only read, with its sessions. */
    protect,
    /** This run created a stream or session. */
    adopt,
    /** Whether this run created what has an id, or a session of that. */
    owns,
    /**
     * The user consented to a request that writes. Whether it may be sent: it may not be for a stream or
     * session that this run did not create.
     */
    allow(request: Outgoing): boolean {
      const paths = pathsBelow('interface', new URL(request.url).href);
      if (paths.length > 0 && paths.every(isAllowable)) allowed.add(nameOf(request));
      return mayPass(request);
    },
    /** @throws ForeignWrite for a request that may change what this run did not create */
    admit(request: Outgoing): void {
      const { method = 'GET', url } = request;
      if (isReading(method)) return;
      if (mayPass(request)) {
        hasCreated ||= isCreation(request);
        return;
      }
      const { pathname } = new URL(url);
      const error = new ForeignWrite(
        `${method} ${pathname} was not sent, as it may change what this run did not create`,
      );
      refused ??= error;
      throw error;
    },
    /**
     * Learns from the response of a success which ids are those of this run, and which are not: those that
     * were shown before its first creation, and those of sessions of any other stream.
     */
    learn(request: Outgoing, response: Learned): void {
      if (response.status < 200 || response.status > 299) return;
      const creates = isCreation(request);
      const path = pathsBelow('interface', request.url).find((one) => pathOfSome.test(one));
      // Media may lie below the base address too, and is not read as text.
      if (!creates && path === undefined) return;
      const body = readBody(response);
      if (creates && isObject(body)) adopt(body['id']);
      const [, listedFor = ''] = sessionsPath.exec(path ?? '') ?? [];
      for (const record of recordsIn(body)) note(record, decode(listedFor));
    },
    /** @throws ForeignWrite if a request was not admitted: what threw it may have been caught */
    throwRefused(): void {
      if (refused !== undefined) throw refused;
    },
  };
}

function nameOf({ method, url }: Outgoing): string {
  return `${method} ${new URL(url).href}`;
}

function withoutSlash(address: string): string {
  return new URL(address).href.replace(/\/+$/, '');
}

/** Characters of an id that fits into a path. */
export const longestId = 1024;

/** An id as a text; empty for what is not an id, or does not fit into a path. */
function asText(id: unknown): string {
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  return text.length > longestId ? '' : text.toWellFormed();
}

/** An id from a path, where it stands in its one usual spelling. */
function decode(text = ''): string {
  try {
    const id = decodeURIComponent(text);
    return encodeURIComponent(id) === text ? id : text;
  } catch {
    return text;
  }
}

function readBody(response: Learned): unknown {
  try {
    return response.json;
  } catch {
    return undefined;
  }
}

const namesOfIds = ['id', 'parentId', 'playbackId'] as const;

/** The objects of a response that name an id: itself, and those within it a few levels deep. */
function* recordsIn(body: unknown, depth = 3): Generator<Shown> {
  for (const value of Array.isArray(body) ? body : [body]) {
    if (!isObject(value)) continue;
    if (namesOfIds.some((key) => key in value)) yield value;
    if (depth === 0) continue;
    for (const key in value) {
      if (typeof value[key] === 'object') yield* recordsIn(value[key], depth - 1);
    }
  }
}
