/** One thing that is wrong with a request. */
export interface Issue {
  /** Name of the field that it is about, such as `advance`; empty where it is about none. */
  readonly field: string;
  /** What is wrong, in a sentence. */
  readonly sentence: string;
}

/** The service refused a request, or the page itself refuses what was filled in. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly issues: readonly Issue[];

  constructor(status: number, issues: readonly Issue[]) {
    super(issues.map(({ sentence }) => sentence).join(' '));
    this.status = status;
    this.issues = issues;
  }
}

/** Reads why the service refused a request. */
export async function readRefusal(response: Response): Promise<Refusal> {
  const text = await response.text();
  const fallback = `The server answered ${response.status} ${response.statusText}`.trim();
  return new Refusal(response.status, readErrors(text, fallback).map(readIssue));
}

function readErrors(text: string, fallback: string): readonly string[] {
  try {
    return (JSON.parse(text) as { errors: string[] }).errors;
  } catch {
    return [text || fallback];
  }
}

/** Reads a message of the service: `advance: expected a duration, got "soon"`. */
function readIssue(message: string): Issue {
  const [, path = '', rest = message] = /^([\w[\]. -]+): (.+)$/s.exec(message) ?? [];
  return { field: path.split(/[ .]/).at(-1) ?? '', sentence: writeSentence(rest) };
}

function writeSentence(text: string): string {
  const plain = text
    .replace(/^expected (.+), got nothing/s, 'This must be $1')
    .replace(/^expected (.+), got (.+)/s, 'This must be $1, not $2');
  const sentence = `${plain[0]?.toUpperCase()}${plain.slice(1)}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
