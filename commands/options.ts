import { usualRecords } from '../mocks/state/limits.ts';

/** An option as `parseArgs` reads it, and what the help says about it. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly default?: string | boolean | string[];
  /** What the value is called in the help. */
  readonly value?: string;
  /** A line feed begins a further line. */
  readonly help: string;
  /** What the help shows as the default where that is not a value of the option. */
  readonly otherwise?: string;
}

/** Options of `livestream-mock serve`. */
export const serveOptions = {
  port: {
    type: 'string',
    value: 'N',
    help: 'port to listen on; 0 picks a free one',
    default: '4100',
  },
  host: { type: 'string', value: 'ADDRESS', help: 'address to listen on', default: '127.0.0.1' },
  prefix: { type: 'string', value: 'PATH', help: 'path of the interface', default: '/api' },
  world: { type: 'string', value: 'NAME', help: 'empty, demo or crowded', default: 'demo' },
  streams: { type: 'string', value: 'N', help: 'in the crowded world', otherwise: '1000' },
  'max-records': {
    type: 'string',
    value: 'N',
    help: 'streams and sessions of all keys',
    default: String(usualRecords) as string,
  },
  seed: {
    type: 'string',
    value: 'TEXT',
    help: 'same seed and key, same identifiers',
    default: 'livestream-mock',
  },
  'api-key': {
    type: 'string',
    multiple: true,
    value: 'KEY',
    help: 'accept only this key; repeatable',
    otherwise: 'any test-… key',
  },
  'control-origin': {
    type: 'string',
    multiple: true,
    value: 'URL',
    help: 'pages of this origin may control it too',
    default: [] as string[],
    otherwise: 'none',
  },
  'recording-delay': {
    type: 'string',
    value: 'T',
    help: 'from stop until ready, such as 30s',
    default: '1s',
  },
  data: {
    type: 'string',
    value: 'FILE',
    help: 'keep the worlds in this file',
    otherwise: 'in memory',
  },
  fault: {
    type: 'string',
    multiple: true,
    value: 'JSON',
    help: 'inject this fault in every world; repeatable',
    default: [] as string[],
  },
  break: { type: 'string', value: 'MUTANT', help: 'break one rule of the interface' },
  json: { type: 'boolean', help: 'print where it listens as one JSON line', default: false },
} as const;

/** Options of `livestream-mock check`. */
export const checkOptions = {
  'base-url': { type: 'string', value: 'URL', help: 'judge the service at this base address' },
  mock: { type: 'boolean', help: 'judge the mock itself', default: false },
  'api-key': {
    type: 'string',
    value: 'KEY',
    help: 'API key; or the environment variable LIVESTREAM_API_KEY',
  },
  'recorded-stream': {
    type: 'string',
    value: 'ID',
    help: 'a recorded session comes from this stream, or',
  },
  'control-url': {
    type: 'string',
    value: 'URL',
    help: '  from a control API that goes live, or',
  },
  'ingest-command': {
    type: 'string',
    value: 'CMD',
    help: '  from a command that goes live with STREAM_KEY,\n  STREAM_ID and MEDIA_FILE in its environment, or',
  },
  manual: {
    type: 'boolean',
    help: '  from you: you go live when asked to',
    default: false,
  },
  'read-only': { type: 'boolean', help: 'send no write', default: false },
  level: {
    type: 'string',
    value: 'LEVEL',
    help: 'must; or should, which is both',
    otherwise: 'everything',
  },
  area: {
    type: 'string',
    multiple: true,
    value: 'AREA',
    help: 'judge this area alone; repeatable',
    otherwise: 'all',
  },
  only: { type: 'string', multiple: true, value: 'ID', help: 'only this requirement; repeatable' },
  deviations: { type: 'string', value: 'FILE', help: 'known deviations of the target' },
  report: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'write .json .xml .html .md .svg; repeatable',
    default: [] as string[],
  },
  timeout: {
    type: 'string',
    value: 'T',
    help: 'within which a response is complete',
    default: '10s',
  },
  patience: { type: 'string', value: 'T', help: 'that a recording may take', default: '2m' },
  'wait-for': {
    type: 'string',
    value: 'T',
    help: 'that a target may take to start',
    default: '0',
  },
  verbose: { type: 'boolean', help: 'show every result and observation', default: false },
  quiet: { type: 'boolean', help: 'show one line', default: false },
} as const;
