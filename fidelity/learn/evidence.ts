import type { Evidence } from '../../conformance/model/report.ts';
import { visibleJson } from '../../conformance/model/visible.ts';
import { redact } from '../../conformance/run/redact.ts';
import { secretsOf } from '../../conformance/target/near-keys.ts';
import { behaviourIds, definitionOf } from '../../interface/dialect/behaviours.ts';
import type { Observations } from './asking/asking.ts';

/** The most characters of a text that evidence shows. Keys are replaced before it is cut, as half a key would not be found. */
const longest = 2_000;

/** What was asked and answered, as JSON by the name of each cell, order, row and route. */
export function renderEvidence(observed: Observations, apiKeys: readonly string[]): string {
  const secrets = apiKeys.flatMap(secretsOf);
  const entries = [...observed].map(([name, observation]) => {
    const { exchanges, ...finding } = redact(observation, secrets);
    const row = behaviourIds.find((id) => name === `behaviours.${id}`);
    const question = row && definitionOf(row).question;
    return [name, { question, ...finding, exchanges: exchanges.map(cut) }] as const;
  });
  return `${visibleJson(JSON.stringify(Object.fromEntries(entries), undefined, 2))}\n`;
}

function cut(exchange: Evidence): Evidence {
  const { curl, body } = exchange;
  const shown = body === undefined ? {} : { body: body.slice(0, longest) };
  return { ...exchange, ...shown, curl: curl.slice(0, longest) };
}
