/**
 * The cases in a text, for `test.each`. Each starts with an unindented line, which is the input; the expected
 * lines are indented below it.
 */
export function casesOf(text: string): [given: string, ...expected: string[]][] {
  return text
    .trim()
    .split(/\n(?! )/)
    .map((written) => written.split(/\n +/) as [string, ...string[]]);
}
