/** One request and its response, with the API key replaced. */
export interface Evidence {
  /** The request as a line for a shell. */
  readonly curl: string;
  /** The response's status; absent if there was no response. */
  readonly status?: number;
  /** The response's headers; their names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The response's body as text, cut after a few kilobytes. */
  readonly body?: string;
  /** The element of a list that decides, with its index, such as `[2]: {"id":"a"}`: it may be far down in the body. */
  readonly element?: string;
  /** Why there was no complete response. */
  readonly failure?: string;
  /** Milliseconds. */
  readonly duration: number;
}
