import { parseArgs } from 'node:util';
import { closest } from 'fastest-levenshtein';
import { isOptionError } from '../option-error.ts';
import type { CommandOption } from './options.ts';

/** Wrong arguments: the message is one sentence, the exit status 3. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

type OptionTable = Readonly<Record<string, CommandOption>>;

/** The options of a command as they were given, with the defaults of those that were not. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]>;
};

type ValueOf<Option extends CommandOption> = Option extends { multiple: true }
  ? string[]
  : Option extends { default: string }
    ? string
    : Option extends { value: string }
      ? string | undefined
      : boolean;

/**
 * Reads a command's options.
 * @throws ArgumentError for an unknown option, a missing value, and anything that is no option.
 */
export function readOptions<Table extends OptionTable>(
  args: string[],
  table: Table,
): OptionValues<Table> {
  const options = Object.entries(table).map(([name, option]) => [name, parsingOf(option)]);
  try {
    return parseArgs({ args, options: Object.fromEntries(options) }).values as OptionValues<Table>;
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, table);
  }
}

/** An option as `parseArgs` takes it. */
function parsingOf({ value, multiple, default: single }: CommandOption): object {
  if (value === undefined) return { type: 'boolean', default: false };
  return multiple ? { type: 'string', multiple, default: [] } : { type: 'string', default: single };
}

function explain({ code, message }: NodeJS.ErrnoException, options: OptionTable): Error {
  const named = /'(-[^' ]*)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const known = Object.keys(options).map((name) => `--${name}`);
    return new ArgumentError(
      `option ${named}: expected a known option, perhaps ${closest(named, known)}`,
    );
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    const isSwitch = options[named.replace(/^--/, '')]?.value === undefined;
    const hyphen = message.includes('ambiguous');
    const none = hyphen ? `none (write ${named}=VALUE for one that begins with a hyphen)` : 'none';
    const wanted = isSwitch ? 'no value, got one' : `a value, got ${none}`;
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

/** Runs `follow`. @throws its error as {@link asArgumentError} has it. */
export function asOptions<Value>(follow: () => Value): Value {
  try {
    return follow();
  } catch (error) {
    throw asArgumentError(error);
  }
}

/** An error of an option as one of the command line: `recordingDelay: …` becomes `option --recording-delay: …`. */
export function asArgumentError(error: unknown): unknown {
  if (!isOptionError(error)) return error;
  const { option, reason } = error;
  const flag = option === 'apiKeys' ? 'api-key' : option.replace(/[A-Z]/g, '-$&').toLowerCase();
  return new ArgumentError(`option --${flag}: ${reason}`);
}
