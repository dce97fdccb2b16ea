import type { Exchange } from '../../conformance/model/report.ts';
import { visibleJson } from '../../conformance/model/visible.ts';
import { redact } from '../../conformance/run/redact.ts';
import { secretsOf } from '../../conformance/target/near-keys.ts';
import { type RowId, rowIds, rowOf } from '../../interface/silent.ts';
import type { Observations } from './learn.ts';

/** Characters of a text that evidence shows, and from which keys are replaced before it is cut. */
const longest = { shown: 2_000, searched: 8_000 };

/** What was asked and answered, as a file of JSON: by the name of each cell, order and row. */
export function renderEvidence(observed: Observations, apiKeys: readonly string[]): string {
  const secrets = apiKeys.flatMap(secretsOf);
  const written = [...observed].map(([name, observation]) => {
    const exchanges = observation.exchanges.map((exchange) => cut(exchange, longest.searched));
    const shown = redact({ ...observation, exchanges }, secrets);
    const id = name.replace(/^behaviours\./, '') as RowId;
    const entry = {
      ...(rowIds.includes(id) && { question: rowOf(id).question }),
      ...shown,
      exchanges: shown.exchanges.map((exchange) => cut(exchange, longest.shown)),
    };
    return [name, entry] as const;
  });
  return `${visibleJson(JSON.stringify(Object.fromEntries(written), undefined, 2))}\n`;
}

/** Texts are cut only after the key was replaced in them: half a key would not be found. */
function cut(exchange: Exchange, length: number): Exchange {
  const { curl, body } = exchange;
  return {
    ...exchange,
    curl: curl.slice(0, length),
    ...(body !== undefined && { body: body.slice(0, length) }),
  };
}
