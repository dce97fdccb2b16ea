/** Answers a request, as `fetch` does. */
export type Fetch = (request: Request) => Promise<Response>;

/** Changes what a mock does. It remembers nothing of other mocks. */
export type Rewrite = (next: Fetch) => Fetch;

/** What is known of a client's request while a variant changes its response. */
export interface ClientRequest {
  /** What the clock of its world shows, in milliseconds since 1970; that of the mock until its world is known. */
  now(): number;
  /** Resolves after real milliseconds; at once if the time of the mock stands still. */
  wait(milliseconds: number): Promise<void>;
}

/** By request: the client's request for which it is sent. */
const clientRequests = new WeakMap<Request, ClientRequest>();

/** Remembers what is known of a client's request. */
export function noteClientRequest(request: Request, known: ClientRequest): void {
  clientRequests.set(request, known);
}

/** What is known of the client's request for which a request is sent. */
export function clientRequestOf(request: Request): ClientRequest | undefined {
  return clientRequests.get(request);
}

/** Makes a request that a variant sends to the mock so that it can respond to another one. */
export function deriveRequest(from: Request, url: string | URL, init: RequestInit): Request {
  const request = new Request(url, init);
  const known = clientRequests.get(from);
  if (known !== undefined) clientRequests.set(request, known);
  return request;
}
