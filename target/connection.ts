import { createProvider, type ProviderChoice } from './providers/provider-choice.ts';
import type { Transport } from './requests/exchange.ts';
import type { WriteGate } from './requests/gate.ts';
import {
  readTarget,
  readWait,
  sendUntil,
  type Target,
  type TargetOptions,
} from './requests/target.ts';
import { startCreations } from './streams/creations.ts';

/** A target, where its recorded sessions come from, and how long it may take. */
export interface AccessOptions extends TargetOptions {
  /** Where recorded sessions come from; without a provider, whatever needs them is left out. */
  provider?: ProviderChoice;
  /** Sends no request that writes. The provider can then only be a given stream. */
  readOnly?: boolean;
  /** Milliseconds that a recording may take to become ready; default 120,000. */
  patience?: number;
  /** Milliseconds that a target may take to start; default 0. */
  waitFor?: number;
  /** Ends everything early; cleaning up then takes at most 5 s. */
  signal?: AbortSignal | undefined;
  /** Ends cleaning up as well. */
  cleanUpSignal?: AbortSignal | undefined;
}

/** A target with what was created on it, where its sessions come from, and when everything must end. */
export type Connection = ReturnType<typeof openConnection>;

/**
 * Reads the options of a connection. It sends no request.
 * @param gate the gate of the same service, used with another key
 * @throws TypeError with a one-sentence message for invalid options.
 */
export function openConnection(options: AccessOptions, gate?: WriteGate) {
  const { readOnly = false, signal: stopSignal = new AbortController().signal } = options;
  const patience = readWait('patience', options.patience ?? 120_000, 1);
  const waitFor = readWait('waitFor', options.waitFor ?? 0, 0);
  const { target: cleanUpTarget, describeEnd } = watch(readTarget(options, gate));
  const target = sendUntil(stopSignal, cleanUpTarget);
  const limits = { patience, stopSignal, readOnly, cleanUpTarget };
  return {
    /** Gets no further requests once `stopSignal` is aborted. */
    target,
    /** The same target, for requests that undo something even after that. */
    cleanUpTarget,
    provider: createProvider(target, options.provider, limits),
    creations: startCreations(),
    readOnly,
    patience,
    waitFor,
    /** Aborted if everything must end early. */
    stopSignal,
    /** Aborted if cleaning up must end at once. */
    cleanUpSignal: options.cleanUpSignal,
    /** Names the last request that the target answered, and the first one after that without an answer. */
    describeEnd,
  };
}

function watch(target: Target) {
  let answered = '';
  let unanswered = '';
  const send: Transport = async (url, init) => {
    if (!url.startsWith(`${target.baseUrl}/`)) return target.send(url, init);
    const line = `${init.method} ${url.slice(target.baseUrl.length)}`;
    try {
      const response = await target.send(url, init);
      answered = line;
      unanswered = '';
      return response;
    } catch (exception) {
      unanswered ||= line;
      throw exception;
    }
  };
  const describeEnd = (): string | undefined =>
    answered && unanswered
      ? `the last request that it answered was ${answered}, and the first that it did not answer was ${unanswered}`
      : undefined;
  return { target: { ...target, send }, describeEnd };
}
