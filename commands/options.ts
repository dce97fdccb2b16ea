import { usualRecords } from '../mocks/state/limits.ts';

/** An option of a command; one without a value is a switch. */
export interface CommandOption {
  /** What the help calls the value. */
  readonly value?: string;
  readonly multiple?: true;
  readonly default?: string;
  /** What the help shows in place of a default. */
  readonly otherwise?: string;
  /** A line feed begins a further line. */
  readonly help: string;
}

/** Options of `livestream-mock serve`. */
export const serveOptions = {
  port: { value: 'N', default: '4100', help: 'port to listen on; 0 picks a free one' },
  host: { value: 'ADDRESS', default: '127.0.0.1', help: 'address to listen on' },
  prefix: { value: 'PATH', default: '/api', help: 'path of the interface' },
  world: {
    value: 'NAME',
    default: 'demo',
    help: 'empty, demo, crowded,\nor the file of an exported state',
  },
  streams: { value: 'N', otherwise: '1000', help: 'in the crowded world' },
  'max-records': {
    value: 'N',
    default: String(usualRecords) as string,
    help: 'streams and sessions of all keys',
  },
  'max-import': { value: 'MB', default: '64', help: 'largest state that is imported' },
  seed: { value: 'TEXT', default: 'livestream-mock', help: 'same seed and key, same identifiers' },
  'api-key': {
    value: 'KEY',
    multiple: true,
    otherwise: 'any test-… key',
    help: 'accept only this key; repeatable',
  },
  'control-origin': {
    value: 'URL',
    multiple: true,
    otherwise: 'none',
    help: 'pages of this origin may control it too',
  },
  dialect: { value: 'FILE', otherwise: 'none', help: 'behave as the service in this file does' },
  'recording-delay': { value: 'T', otherwise: '1s', help: 'from stop until ready, such as 30s' },
  data: { value: 'FILE', otherwise: 'in memory', help: 'keep the worlds in this file, or' },
  store: { value: 'URL', help: '  in this Redis, which several servers can share' },
  'media-origin': {
    value: 'URL',
    otherwise: "the request's",
    help: 'origin of the media addresses',
  },
  fault: { value: 'JSON', multiple: true, help: 'inject this fault in every world; repeatable' },
  break: { value: 'MUTANT', help: 'break one rule on purpose; list names all' },
  json: { help: 'print where it listens as one JSON line' },
} as const;

const checkedTarget = {
  'base-url': { value: 'URL', help: 'judge the service at this base address' },
  mock: { help: 'judge the mock itself' },
} as const;

const ownKey = {
  'api-key': { value: 'KEY', help: 'API key; or the environment variable LIVESTREAM_API_KEY' },
} as const;

const otherApiKey = {
  'other-api-key': { value: 'KEY', help: 'a key of another account' },
} as const;

/** What goes live. */
const encoder = {
  'control-url': { value: 'URL', help: 'sessions come from a control API, or' },
  'ingest-command': {
    value: 'CMD',
    help: '  from a command that goes live with STREAM_KEY,\n  STREAM_ID and MEDIA_FILE in its environment, or',
  },
  manual: { help: '  from you: you go live when asked to' },
} as const;

const recordedStream = {
  'recorded-stream': { value: 'ID', help: 'a recorded session comes from this stream, or' },
} as const;

const page = {
  origin: { value: 'ORIGIN', help: 'of your page, where the service allows only some' },
} as const;

const readOnly = { 'read-only': { help: 'send no write' } } as const;

const selection = {
  level: { value: 'LEVEL', otherwise: 'everything', help: 'must, or should (which includes must)' },
  area: { value: 'AREA', multiple: true, otherwise: 'all', help: 'only this area; repeatable' },
  only: { value: 'ID', multiple: true, help: 'only this requirement; repeatable' },
  deviations: { value: 'FILE', help: 'known deviations of the target' },
  report: { value: 'FILE', multiple: true, help: 'write .json .xml .html .md .svg; repeatable' },
} as const;

const times = {
  timeout: { value: 'T', default: '10s', help: 'longest time for one response' },
  'wait-for': { value: 'T', default: '0', help: 'longest wait for the target to start' },
} as const;

const patience = {
  patience: { value: 'T', default: '2m', help: 'longest wait for a recording' },
} as const;

const detail = {
  verbose: { help: 'show every result and observation' },
  quiet: { help: 'show one line' },
} as const;

/** The options of commands that ask one service. */
export type TargetOptions = typeof ownKey &
  typeof recordedStream &
  typeof encoder &
  typeof readOnly &
  typeof times &
  typeof patience;

const access = { ...ownKey, ...recordedStream, ...encoder, ...readOnly } as const;

/** Options of `livestream-mock check`. */
export const checkOptions: typeof checkedTarget & TargetOptions & typeof selection & typeof detail =
  { ...checkedTarget, ...access, ...selection, ...times, ...patience, ...detail };

const learnedTarget = {
  'base-url': { value: 'URL', help: 'learn how the service at this base address behaves' },
  out: { value: 'FILE', help: 'write its dialect, or' },
  check: { value: 'FILE', help: '  compare it with this dialect and write nothing' },
  evidence: { value: 'FILE', help: 'write what was asked and answered, as JSON' },
  force: { help: 'write --out also where little was learned' },
  routes: {
    value: 'FILE',
    help: 'ask for these routes too: lines such as\nGET /user/me, an OpenAPI document or a HAR',
  },
  allow: {
    value: 'METHOD',
    multiple: true,
    help: 'ask for routes with this method, which writes;\nrepeatable',
  },
} as const;

const streams = {
  streams: { value: 'N', default: '12', help: 'streams that are made for a list' },
} as const;

/** Options of `livestream-mock learn`. */
export const learnOptions: typeof learnedTarget &
  TargetOptions &
  typeof otherApiKey &
  typeof page &
  typeof streams = {
  ...learnedTarget,
  ...access,
  ...otherApiKey,
  ...page,
  ...streams,
  ...times,
  ...patience,
};

const comparedTargets = {
  'base-url': { value: 'URL', help: 'compare the service at this base address' },
  dialect: { value: 'FILE', otherwise: 'none', help: 'with a mock that has this dialect, or' },
  with: {
    value: 'FILE',
    help: '  with the service that this file names:\n  {"baseUrl","controlUrl","apiKey"}',
  },
} as const;

const search = {
  har: { value: 'FILE', help: 'send what a mock has exported as HAR, and\nno random requests' },
  known: { value: 'FILE', help: 'known differences, with a reason each' },
  seed: { value: 'N', default: '1', help: 'same seed, same sequences of requests' },
  time: { value: 'T', default: '60s', help: 'longest time of the search' },
  report: { value: 'FILE', multiple: true, help: 'write .json .html; repeatable' },
} as const;

const comparedPatience = {
  patience: { value: 'T', default: '10s', help: 'longest wait until both sides agree' },
} as const;

/** Options of `livestream-mock compare`. */
export const compareOptions: typeof comparedTargets &
  typeof ownKey &
  typeof otherApiKey &
  typeof page &
  typeof encoder &
  typeof search &
  typeof times &
  typeof comparedPatience = {
  ...comparedTargets,
  ...ownKey,
  ...otherApiKey,
  ...page,
  ...encoder,
  ...search,
  ...times,
  ...comparedPatience,
};
