import { behaviourIds, definitionOf } from '../../interface/dialect/behaviours.ts';
import type { Evidence } from '../../target/requests/evidence.ts';
import { secretsOf } from '../../target/requests/near-keys.ts';
import { redact } from '../../text/redact.ts';
import { mapStrings, visibleJson } from '../../text/visible.ts';
import type { Observations } from './probing/prober.ts';
import { layOut } from './render-learned.ts';

/** What a run saw of a service. */
interface Seen {
  readonly observed: Observations;
  readonly leftBehind: readonly string[];
}

/**
 * What was asked and answered, as JSON by the name of each cell, order, behaviour and route, and everything that is left on
 * the service. Each exchange is there once: an entry that was decided by those of an earlier one names that.
 */
export function renderEvidence({ observed, leftBehind }: Seen, apiKeys: readonly string[]): string {
  const secrets = apiKeys.flatMap(secretsOf);
  const namesByExchanges = new Map<string, string>();
  const entries = [...observed].map(([name, observation]) => {
    const { exchanges, ...finding } = redact(observation, secrets);
    const behaviour = behaviourIds.find((id) => name === `behaviours.${id}`);
    const question = behaviour && definitionOf(behaviour).question;
    const shown = asOften(exchanges.map((exchange) => withFewHeaders(name, exchange)));
    const text = JSON.stringify(shown);
    const exchangesOf = shown.length === 0 ? undefined : namesByExchanges.get(text);
    if (exchangesOf === undefined) namesByExchanges.set(text, name);
    const decided =
      exchangesOf === undefined ? { exchanges: mapStrings(shown, cut) } : { exchangesOf };
    return [name, { question, ...finding, ...decided }] as const;
  });
  const evidence = { leftOnService: redact(leftBehind, secrets), ...Object.fromEntries(entries) };
  // Without what is undefined.
  return `${visibleJson(layOut(JSON.parse(JSON.stringify(evidence)), 2))}\n`;
}

/** Maximum length of a text in evidence. Keys are replaced before it is cut, as half a key would not be found. */
const longest = 1_000;

const cut = (text: string): string => text.slice(0, longest);

/** Headers that are about a connection or a moment, and decide nothing. */
const incidental = /^(connection|content-length|date|keep-alive|transfer-encoding)$/;

/** Headers that decide about anything but a behaviour. */
const deciding = /^(content-type|location)$/;

/** An exchange without the headers that decided nothing about an entry. */
function withFewHeaders(name: string, { headers = {}, ...exchange }: Evidence): Evidence {
  const isOfBehaviour = name.startsWith('behaviours.');
  const entries = Object.entries(headers).filter(([header]) =>
    isOfBehaviour ? !incidental.test(header) : deciding.test(header),
  );
  return { ...exchange, headers: Object.fromEntries(entries) };
}

/** Exchanges that are the same but for their durations as one, with how often there was one. */
function asOften(exchanges: readonly Evidence[]) {
  const byContent = new Map<string, Evidence & { readonly times?: number }>();
  for (const exchange of exchanges) {
    const { duration: _, ...content } = exchange;
    const key = JSON.stringify(content);
    const known = byContent.get(key);
    byContent.set(
      key,
      known === undefined ? exchange : { ...known, times: (known.times ?? 1) + 1 },
    );
  }
  return [...byContent.values()];
}
