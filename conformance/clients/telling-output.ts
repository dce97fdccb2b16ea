/** A line of TAP that says how a test ended; the last group is a directive, with which a failure does not count. */
const resultLine = /^\s*(ok|not ok)\b(?:[^#]|#(?! ?(?:todo|skip)\b))*(# ?(?:todo|skip)\b.*)?$/i;

/** Lines of TAP that say nothing about a failure: the version, the plan, the names of subtests, and counts. */
const bareLine =
  /^\s*(?:TAP version \d+|\d+\.\.\d+|# Subtest: .*|# (?:tests|suites|pass|cancelled|skipped|todo|duration_ms) [\d.]+)$/;

/** What does not help to understand a failure: how long it took, its kind, and where the test runner called it. */
const idleDetail = /^\s*(?:duration_ms: .*|failureType: .*|---|\.\.\.|.*\bnode:.*:\d+\)?)$/;

/** How many lines of one failed test are kept. The first ones name the test, and what it expected. */
const mostLines = 16;

/**
 * The end of what tests wrote, for a reader who asks what failed. Most runners sum up failures at the end. Those that
 * write TAP, as `node --test` does to a pipe, do not: of that, failed tests are moved to the end, and others are left out.
 */
export function tellingOutput(output: string, longest: number): string {
  const plain = withoutStyles(output);
  const { failed, others } = readTap(plain.split('\n'));
  if (failed.length === 0) return endOf(plain, longest);
  const failures = endOf(failed.map(shortenFailure).join('\n'), longest);
  const rest = endOf(others.join('\n').trim(), longest - failures.length);
  return rest === '' ? failures : `${rest}\n${failures}`;
}

/** A text without the sequences for colours, which reports would show as text. Any others stay, and are shown. */
function withoutStyles(text: string): string {
  return text.replaceAll(/\p{Cc}\[[\d;:]*m/gu, '');
}

/** Failed tests of a TAP output, and the lines that are of no test. */
function readTap(lines: readonly string[]): {
  readonly failed: readonly (readonly string[])[];
  readonly others: readonly string[];
} {
  const failed: (readonly string[])[] = [];
  const others: string[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    const [, result, directive] = resultLine.exec(line) ?? [];
    if (result === undefined) {
      if (!bareLine.test(line)) others.push(line);
      index += 1;
      continue;
    }
    const end = endOfResult(lines, index + 1);
    const block = lines.slice(index, end);
    const isFailed = result.toLowerCase() === 'not ok' && directive === undefined;
    // A suite only repeats that its tests have failed.
    const isRepeated = block.some((detail) => detail.includes("failureType: 'subtestsFailed'"));
    if (isFailed && !isRepeated) failed.push(block);
    index = end;
  }
  return { failed, others };
}

/** The line after the details of a result: what is between `---` and `...`, or comments. */
function endOfResult(lines: readonly string[], start: number): number {
  const [, indent] = /^(\s+)---$/.exec(lines[start] ?? '') ?? [];
  if (indent !== undefined) {
    const end = lines.indexOf(`${indent}...`, start);
    return end === -1 ? lines.length : end + 1;
  }
  let end = start;
  while (/^\s*#/.test(lines[end] ?? '') && !bareLine.test(lines[end] ?? '')) end += 1;
  return end;
}

function shortenFailure(block: readonly string[]): string {
  const telling = block.filter((line) => line.trim() !== '' && !idleDetail.test(line));
  const kept = telling.slice(0, mostLines);
  return [...kept, ...(kept.length < telling.length ? ['  …'] : [])].join('\n');
}

function endOf(text: string, longest: number): string {
  // A cut may split a surrogate pair.
  return longest <= 0 ? '' : text.slice(-longest).toWellFormed();
}
