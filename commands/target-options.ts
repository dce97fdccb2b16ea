import { readAddress } from '../conformance/target/target.ts';
import { parseDuration } from '../mocks/state/duration.ts';
import { asOrigin, asText, flag, optional, preset } from './options.ts';

/** The key, and how to go live. */
export const keyAndEncoder = {
  apiKey: optional('KEY', '$LIVESTREAM_API_KEY', 'API key of the service', asText),
  controlUrl: optional('URL', '', 'make sessions through this control API', asUrl),
  ingestCommand: optional(
    'CMD',
    '',
    'make them with this command ($STREAM_KEY, $MEDIA_FILE)',
    asText,
  ),
  manual: flag('make them by hand, when asked to go live'),
};

/** The key, where recorded sessions come from, and whether anything may be written. */
export const access = {
  ...keyAndEncoder,
  recordedStream: optional('ID', '', 'use a recorded session of this stream instead', asText),
  readOnly: flag('send no request that changes anything'),
};

/** Other clients of the service. */
export const otherClients = {
  otherApiKey: optional('KEY', '', 'API key of another account', asText),
  origin: optional('ORIGIN', '', 'origin of your page, if the service allows only some', asOrigin),
};

/** Time limits for a target. */
export const timeLimits = {
  timeout: preset('T', '10s', 'time limit for one response', parseDuration),
  waitFor: preset('T', '0', 'how long to wait for the target to start', parseDuration),
  patience: preset('T', '2m', 'how long to wait for a recording', parseDuration),
};

/** Checks the address of a target, or of its control API. */
export function asUrl(text: string): string {
  readAddress('baseUrl', text);
  return text;
}

/** Where sessions can come from. Only one of these can be given. */
export const sources = ['recordedStream', 'controlUrl', 'ingestCommand', 'manual'] as const;
