import type { EvidenceReport } from '../journal/evidence.ts';
import { type Mock, watchDialect } from '../mock.ts';
import { archiveExchanges } from '../service/testers/archive-exchanges.ts';
import { followExchanges } from './follow-exchanges.ts';

/**
 * Makes a function that reports what clients have sent since the last report, and what the variants or the dialect of the
 * mock have changed, to the address in `LIVESTREAM_EVIDENCE_URL`. Reports can be sent at any time: those of one mock have the same
 * id, and each request is in one of them.
 * @throws Error if nobody takes a report
 */
export function createReporter(mock: Mock, url: string): () => Promise<void> {
  watchDialect(mock);
  const id = crypto.randomUUID();
  const takeExchanges = followExchanges(mock);
  const report = async (): Promise<void> => {
    for (const { world, exchanges } of await takeExchanges()) {
      const requests = [...exchanges];
      const archive = await archiveExchanges(world, requests);
      await send(url, { mock: id, evidence: await mock.evidence(), requests, archive });
    }
  };
  // One after another, so that no request is reported twice.
  let lastReport = Promise.resolve();
  return () => {
    const next = lastReport.then(report);
    lastReport = next.catch(() => {});
    return next;
  };
}

/** Sends a report as a text, which a page may send to any origin without a preflight. */
async function send(url: string, report: EvidenceReport): Promise<void> {
  const body = JSON.stringify(report);
  const headers = { 'content-type': 'text/plain' };
  try {
    await fetch(url, { method: 'POST', mode: 'no-cors', headers, body });
  } catch (exception) {
    throw new Error(
      `LIVESTREAM_EVIDENCE_URL: expected ${url} to take a report, got ${(exception as Error).message}; is check-client still running?`,
    );
  }
}
