/**
 * The cases in a text, for `test.each`. Each begins with a line that is not indented, which is what is
 * given; what is expected is indented below it.
 */
export function casesOf(text: string): [given: string, ...expected: string[]][] {
  return text
    .trim()
    .split(/\n(?! )/)
    .map((written) => written.split(/\n +/) as [string, ...string[]]);
}
