/** How a refusal's body is sent: as an error object, as one line of plain text, or not at all. */
type Form = 'object' | 'text' | 'empty';

interface RefusalKind {
  readonly status: number;
  readonly form: Form;
  readonly message: string;
}

export type RefusalCode =
  | 'ORIGIN_FORBIDDEN'
  | 'ROUTE_UNKNOWN'
  | 'METHOD_UNKNOWN'
  | 'KEY_MISSING'
  | 'KEY_REFUSED'
  | 'ID_MALFORMED'
  | 'BODY_TOO_LARGE'
  | 'BODY_MISSING'
  | 'CONTENT_TYPE_REFUSED'
  | 'BODY_NOT_JSON'
  | 'FIELD_UNKNOWN'
  | 'FIELD_MISSING'
  | 'FIELD_TYPE'
  | 'FIELD_RANGE'
  | 'QUERY_UNKNOWN'
  | 'QUERY_INVALID'
  | 'CURSOR_INVALID'
  | 'RESOURCE_UNKNOWN'
  | 'RESOURCE_FORBIDDEN'
  | 'STREAM_GONE'
  | 'NOT_A_STREAM'
  | 'NOT_A_SESSION'
  | 'SESSION_READ_ONLY'
  | 'STREAM_LIVE'
  | 'STREAM_IDLE';

/** Every way in which a request is refused. */
const kinds: Readonly<Record<RefusalCode, RefusalKind>> = {
  ORIGIN_FORBIDDEN: { status: 403, form: 'text', message: 'Requests from web pages are refused.' },
  ROUTE_UNKNOWN: { status: 404, form: 'text', message: 'There is no such route.' },
  METHOD_UNKNOWN: { status: 405, form: 'empty', message: 'The route has no such method.' },
  KEY_MISSING: { status: 401, form: 'empty', message: 'An API key is required.' },
  KEY_REFUSED: { status: 403, form: 'object', message: 'The API key is not valid.' },
  ID_MALFORMED: { status: 400, form: 'object', message: 'The identifier is not a UUID.' },
  BODY_TOO_LARGE: { status: 400, form: 'text', message: 'The body is larger than 64 kB.' },
  BODY_MISSING: { status: 411, form: 'object', message: 'A body is required.' },
  CONTENT_TYPE_REFUSED: { status: 406, form: 'object', message: 'Send application/json.' },
  BODY_NOT_JSON: { status: 422, form: 'object', message: 'The body is not a JSON object.' },
  FIELD_UNKNOWN: { status: 412, form: 'object', message: 'The field is not known.' },
  FIELD_MISSING: { status: 400, form: 'object', message: 'The field is required.' },
  FIELD_TYPE: { status: 412, form: 'object', message: 'The field has the wrong type.' },
  FIELD_RANGE: { status: 412, form: 'object', message: 'The field is out of range.' },
  QUERY_UNKNOWN: { status: 400, form: 'object', message: 'The query parameter is not known.' },
  QUERY_INVALID: { status: 400, form: 'object', message: 'The query parameter is not valid.' },
  CURSOR_INVALID: { status: 416, form: 'object', message: 'The cursor points nowhere.' },
  RESOURCE_UNKNOWN: { status: 404, form: 'object', message: 'There is nothing of this id.' },
  RESOURCE_FORBIDDEN: { status: 403, form: 'object', message: 'This belongs to another key.' },
  STREAM_GONE: { status: 410, form: 'object', message: 'The stream has been deleted.' },
  NOT_A_STREAM: { status: 400, form: 'object', message: 'This is the id of a session.' },
  NOT_A_SESSION: { status: 400, form: 'object', message: 'This is the id of a stream.' },
  SESSION_READ_ONLY: { status: 423, form: 'object', message: 'A session cannot be changed.' },
  STREAM_LIVE: { status: 409, form: 'object', message: 'The stream is live.' },
  STREAM_IDLE: { status: 409, form: 'object', message: 'The stream is not live.' },
};

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface RefusalExtras {
  /** The field or query parameter at fault. */
  readonly field?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly extras: RefusalExtras;

  constructor(code: RefusalCode, extras: RefusalExtras = {}) {
    super(kinds[code].message);
    this.code = code;
    this.extras = extras;
  }
}

function errorObject({ code, message, extras }: Refusal): string {
  const details = extras.field === undefined ? {} : { field: extras.field };
  return JSON.stringify({ error: { status: kinds[code].status, code, message, details } });
}

export function refusalAnswer(refusal: Refusal): Answer {
  const { status, form } = kinds[refusal.code];
  const { headers } = refusal.extras;
  if (form === 'empty') return { status, headers: { ...headers } };
  if (form === 'text') {
    return { status, headers: { ...headers, 'content-type': 'text/plain' }, body: refusal.message };
  }
  const contentType = { 'content-type': 'application/vnd.error+json' };
  return { status, headers: { ...headers, ...contentType }, body: errorObject(refusal) };
}
