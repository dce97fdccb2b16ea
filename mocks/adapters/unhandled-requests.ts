import { type HttpHandler, HttpResponse, http, isCommonAssetRequest, passthrough } from 'msw';

/** What happens to a request that the mock does not handle, as MSW names it. */
export type UnhandledRequestStrategy = 'bypass' | 'warn' | 'error';

const strategies: readonly UnhandledRequestStrategy[] = ['bypass', 'warn', 'error'];

/** The addresses that this process has warned of: origins with the base URL to which they did not belong. */
const warned = new Set<string>();

/** What looks after the requests of one test that the mock does not handle. */
export interface Unhandled {
  /** What comes after all other handlers of MSW. */
  readonly handlers: readonly HttpHandler[];
  /** A sentence for each request that was refused. */
  readonly refusals: ReadonlySet<string>;
}

/**
 * Looks after requests that are not below the base URL. As with MSW, pictures, scripts and other assets of an app go to
 * the network in any case.
 * @throws RangeError for an unknown strategy
 */
export function createUnhandled(strategy: UnhandledRequestStrategy, baseUrl: string): Unhandled {
  if (!strategies.includes(strategy)) {
    throw new RangeError(
      `onUnhandledRequest: expected one of ${strategies.join(', ')}, got ${JSON.stringify(strategy)}`,
    );
  }
  const refusals = new Set<string>();
  const handler = http.all(
    ({ request }) => /^https?:/.test(request.url) && !isCommonAssetRequest(request),
    ({ request }) => {
      const { origin, pathname } = new URL(request.url);
      const what = `${request.method} ${origin}${pathname} is not below the base URL ${baseUrl}`;
      if (strategy === 'error') {
        refusals.add(`${what}, so it was refused; ${advice}`);
        return HttpResponse.error();
      }
      warnOnce(`${origin} ${baseUrl}`, `${what}, so it goes to the network; ${advice}`);
      return passthrough();
    },
  );
  return { handlers: strategy === 'bypass' ? [] : [handler], refusals };
}

const advice =
  "set the option baseUrl to the address that your code uses, or onUnhandledRequest to 'bypass' if the request is meant for another service";

function warnOnce(addresses: string, sentence: string): void {
  if (warned.has(addresses)) return;
  warned.add(addresses);
  process.stderr.write(`livestream: ${sentence}\n`);
}
