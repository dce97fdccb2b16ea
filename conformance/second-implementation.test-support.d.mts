/** Serves another implementation of the interface until it is closed. */
export function serveSecondImplementation(options: {
  readonly folder: string;
  readonly seconds: number;
  readonly apiKey: string;
}): Promise<{ readonly baseUrl: string; readonly controlUrl: string; close(): void }>;
