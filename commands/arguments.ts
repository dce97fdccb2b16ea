import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closest } from 'fastest-levenshtein';

/** Wrong arguments: the message is one sentence, the exit status 3. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known }>>['values'];

/**
 * Reads a command's options.
 * @throws ArgumentError for an unknown option, a missing value, and anything that is no option.
 */
export function readOptions<Known extends Options>(args: string[], options: Known): Parsed<Known> {
  try {
    return parseArgs({ args, options }).values as Parsed<Known>;
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, options);
  }
}

function explain({ code, message }: NodeJS.ErrnoException, options: Options): Error {
  const named = /'(-[^' ]*)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const known = Object.keys(options).map((name) => `--${name}`);
    return new ArgumentError(
      `option ${named}: expected a known option, perhaps ${closest(named, known)}`,
    );
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    const type = options[named.replace(/^--/, '')]?.type;
    const hyphen = message.includes('ambiguous');
    const none = hyphen ? `none (write ${named}=VALUE for one that begins with a hyphen)` : 'none';
    const wanted = type === 'boolean' ? 'no value, got one' : `a value, got ${none}`;
    return new ArgumentError(`option ${named}: expected ${wanted}`);
  }
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') {
    const came = /'(.*)'/.exec(message)?.[1] ?? '';
    return new ArgumentError(`arguments: expected options only, got "${came}"`);
  }
  return new ArgumentError(message);
}

/** A whole number from `low` to `high`. @throws ArgumentError */
export function readWhole(option: string, text: string, low: number, high: number): number {
  if (/^\d{1,12}$/.test(text) && Number(text) >= low && Number(text) <= high) return Number(text);
  throw new ArgumentError(
    `option ${option}: expected a whole number from ${low} to ${high}, got "${text}"`,
  );
}

/** Runs `follow`; a refusal such as `recordingDelay: …` becomes `option --recording-delay: …`. */
export function asOptions<Value>(follow: () => Value): Value {
  try {
    return follow();
  } catch (error) {
    throw asArgumentError(error);
  }
}

/** What went wrong in terms of the command line. */
export function asArgumentError(error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof RangeError)) return error;
  const name = /^(\w+): /.exec(error.message)?.[1];
  if (name === undefined) return error;
  const option = name === 'apiKeys' ? 'api-key' : name.replace(/[A-Z]/g, '-$&').toLowerCase();
  return new ArgumentError(`option --${option}${error.message.slice(name.length)}`);
}
