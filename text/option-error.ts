/** An error in an option of a public function; `option` is its name, `reason` the rest of the sentence. */
export type OptionError = (TypeError | RangeError) & {
  readonly option: string;
  readonly reason: string;
};

/** Makes the error of an option. Its message is one sentence: `NAME: expected …, got …`. */
export function optionError(
  Kind: typeof TypeError | typeof RangeError,
  option: string,
  reason: string,
): OptionError {
  const error = new Kind(`${option}: ${reason}`);
  // Not enumerable, so that errors with the same message are still equal.
  Object.defineProperties(error, { option: { value: option }, reason: { value: reason } });
  return error as OptionError;
}

/** The error for an option that needs a package that is not installed. */
export function missingPackage(option: string, name: string, version: string): OptionError {
  const install = `"npm install ${name}@${version}" installs it`;
  const reason = `expected the package ${name} ${version}, got none; ${install}`;
  return optionError(RangeError, option, reason);
}

/** Whether an error was made by {@link optionError}. */
export function isOptionError(exception: unknown): exception is OptionError {
  return exception instanceof Error && 'option' in exception && 'reason' in exception;
}

/** Whether a text is the scheme, host and port of a website, written as browsers write it. */
export function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/**
 * Reads an origin of pages, as browsers send it. An app may have its own scheme.
 * @throws RangeError that names the option.
 */
export function readPageOrigin(option: string, origin: string): string {
  const isOfApp = /^(?!https?:)[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+$/.test(origin);
  if (isWebOrigin(origin) || (isOfApp && URL.canParse(origin))) return origin;
  const expected =
    'a scheme, host and port such as http://localhost:5173, without a path or a slash at the end';
  throw optionError(RangeError, option, `expected ${expected}, got "${origin}"`);
}
