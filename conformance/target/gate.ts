import { isObject } from '../../interface/json.ts';
import { jsonOf } from './bounded-json.ts';
import {
  creationPath,
  isSafeMethod,
  longestId,
  notAnId,
  unknownId,
  unknownPath,
} from './well-known.ts';

/** Every request to a target passes through it. It stops those that may change what this run did not create. */
export type WriteGate = ReturnType<typeof createGate>;

/** A stream or session in a response. */
type SeenRecord = Readonly<Record<string, unknown>>;

/** A request as it is sent. */
interface Outgoing {
  readonly method?: string | undefined;
  readonly url: string;
}

/** A request was not sent, as it might change what this run did not create. This is a bug in this program. */
export class ForeignWrite extends Error {
  override readonly name = 'ForeignWrite';
}

/** The path of one stream or session, or of something below it. */
const pathOfOne = /^\/(?:stream|session)\/([^/]+)(?:\/[a-z-]+)?\/?$/i;
const pathOfSome = /^\/(?:stream|session)(?:\/|$)/i;
const sessionsPath = /^\/stream\/([^/]+)\/sessions$/i;
/** Streams and sessions, wherever a service puts them. */
const pathWithStreams = /\/(?:stream|session)s?(?:\/|$)/i;
const controlRequestPath = /^\/streams\/([^/]+)\/(start|stop)$/;
/** An id, or a part of a path, that cannot mean a different one, however a server decodes it. */
const plainId = /^(?!\.*$)[\w.~!'()*:@=+$,;&-]+$/;

/** A gate that has not learned anything yet. */
export function createGate() {
  const bases = { interface: new Set<string>(), control: new Set<string>() } as const;
  /** Ids that this run created or made up. */
  const ownIds = new Set<string>([unknownId, notAnId]);
  /** Ids that never belong to this run, whatever a target says later; in lower case, as a server may ignore case. */
  const foreignIds = new Set<string>();
  /** Requests to which the user consented. */
  const allowed = new Set<string>();
  let isReadOnly = false;
  let hasCreated = false;
  let refused: ForeignWrite | undefined;

  /** The paths below the addresses of a kind: one address may be below another. */
  const pathsBelow = (kind: keyof typeof bases, url: string): string[] => {
    const [address = ''] = url.split(/[?#]/);
    return [...bases[kind]].flatMap((base) =>
      address.startsWith(`${base}/`) ? [address.slice(base.length)] : [],
    );
  };
  const isForeign = (id: unknown): boolean => foreignIds.has(idText(id).toLowerCase());
  const owns = (id: unknown): boolean => ownIds.has(idText(id)) && !isForeign(id);
  const protect = (id: unknown): void => {
    if (idText(id) !== '') foreignIds.add(idText(id).toLowerCase());
  };
  const adopt = (id: unknown): void => {
    if (plainId.test(idText(id)) && !isForeign(id)) ownIds.add(idText(id));
  };

  const mayWrite = ({ method }: Outgoing, path: string): boolean =>
    (method === 'POST' && creationPath.test(path)) ||
    path.toLowerCase().replace(/\/$/, '') === unknownPath ||
    owns(idInPath(pathOfOne.exec(path)?.[1]));
  const mayControl = ({ method }: Outgoing, path: string): boolean =>
    method === 'POST' && owns(idInPath(controlRequestPath.exec(path)?.[1]));
  const mayPass = (request: Outgoing): boolean => {
    const { href, search } = new URL(request.url);
    // A server may also take an id from the query.
    if (isReadOnly || search !== '') return false;
    return (
      allowed.has(lineOf(request)) ||
      pathsBelow('interface', href).some((path) => mayWrite(request, path)) ||
      pathsBelow('control', href).some((path) => mayControl(request, path))
    );
  };
  /** Whether a user can consent to writing to a path: it must not name what this run did not create. */
  const mayBeAllowed = (path: string): boolean => {
    const segments = path.slice(1).split('/');
    if (pathWithStreams.test(path)) return false;
    return segments.every((segment) => plainId.test(segment) && !isForeign(segment));
  };
  const note = ({ id, parentId, playbackId }: SeenRecord, listedFor: string): void => {
    if (!hasCreated) [id, parentId, playbackId].forEach(protect);
    if (owns(parentId)) adopt(id);
    else if (idText(parentId) !== '' || isForeign(id) || (listedFor !== '' && !owns(listedFor))) {
      [id, playbackId].forEach(protect);
    }
  };
  const isCreation = ({ method, url }: Outgoing): boolean =>
    method === 'POST' &&
    (pathsBelow('interface', url).some((path) => creationPath.test(path)) ||
      pathsBelow('control', url).some((path) => controlRequestPath.exec(path)?.[2] === 'start'));

  return {
    /** Adds the address of the interface. */
    addBase: (address: string) => void bases.interface.add(withoutSlash(address)),
    /** Adds the address of the control API, which may be below or above the interface. */
    addControl: (address: string) => void bases.control.add(withoutSlash(address)),
    /** From now on, no request that writes passes. */
    forbidWrites(): void {
      isReadOnly = true;
    },
    /** The user named this stream: it and its sessions are only read. */
    protect,
    /** This run created a stream or session. */
    adopt,
    /** Whether this run created the stream with this id, or the stream of the session with this id. */
    owns,
    /**
     * The user consented to a request that writes. Returns whether it may be sent: not if it names a stream
     * or session that this run did not create.
     */
    allow(request: Outgoing): boolean {
      const paths = pathsBelow('interface', new URL(request.url).href);
      if (paths.length > 0 && paths.every(mayBeAllowed)) allowed.add(lineOf(request));
      return mayPass(request);
    },
    /** @throws ForeignWrite for a request that may change what this run did not create. */
    admit(request: Outgoing): void {
      const { method = 'GET', url } = request;
      if (isSafeMethod(method)) return;
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
     * Learns from a successful response which ids belong to this run. Those that were shown before its first
     * creation do not, nor do the sessions of any other stream.
     */
    learn(request: Outgoing, response: { readonly status: number; readonly json: unknown }): void {
      if (response.status < 200 || response.status > 299) return;
      const creates = isCreation(request);
      const path = pathsBelow('interface', request.url).find((path) => pathOfSome.test(path));
      // Media may be below the base URL too, and is not parsed.
      if (!creates && path === undefined) return;
      const body = jsonOf(response);
      if (creates && isObject(body)) adopt(body['id']);
      const [, listedFor = ''] = sessionsPath.exec(path ?? '') ?? [];
      for (const record of recordsWithIds(body)) note(record, idInPath(listedFor));
    },
    /** @throws ForeignWrite if any request was refused, as the error may have been caught. */
    throwRefused(): void {
      if (refused !== undefined) throw refused;
    },
  };
}

function lineOf({ method, url }: Outgoing): string {
  return `${method} ${new URL(url).href}`;
}

function withoutSlash(address: string): string {
  // Without the lookbehind, a search would begin at each of many slashes that a target has sent.
  return new URL(address).href.replace(/(?<!\/)\/+$/, '');
}

/** An id as text; empty for anything that is not an id, or is too long for a path. */
function idText(id: unknown): string {
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  return text.length > longestId ? '' : text.toWellFormed();
}

/** An id from a path; left as it is unless it has the usual encoding. */
function idInPath(text = ''): string {
  try {
    const id = decodeURIComponent(text);
    return encodeURIComponent(id) === text ? id : text;
  } catch {
    return text;
  }
}

const namesOfIds = ['id', 'parentId', 'playbackId'] as const;

/** The objects in a response that name an id, down to a few levels. */
function recordsWithIds(body: unknown, depth = 3, records: SeenRecord[] = []): SeenRecord[] {
  for (const value of Array.isArray(body) ? body : [body]) {
    if (!isObject(value)) continue;
    if (namesOfIds.some((key) => key in value)) records.push(value);
    if (depth === 0) continue;
    for (const key in value) {
      if (typeof value[key] === 'object') recordsWithIds(value[key], depth - 1, records);
    }
  }
  return records;
}
