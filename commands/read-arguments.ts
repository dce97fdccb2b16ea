import { parseArgs } from 'node:util';
import { nearestName } from '../text/nearest-name.ts';
import { isOptionError } from '../text/option-error.ts';
import { type OptionTable, type OptionValues, onlyDefined, optionName } from './options.ts';

/** An argument is wrong. The message is one sentence, and the exit status is 3. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/**
 * Reads a command's options.
 * @throws ArgumentError for an unknown option, a missing or wrong value, or anything that is not an option.
 */
export async function readArguments<Table extends OptionTable>(
  args: readonly string[],
  table: Table,
): Promise<OptionValues<Table>> {
  const textsByOption = parse(args, table);
  const values: Record<string, unknown> = {};
  for (const [name, { read }] of Object.entries(table)) {
    const option = optionName(name);
    values[name] = await readAs(option, () => read((textsByOption[option] ?? []).map(String)));
  }
  return onlyDefined(values) as OptionValues<Table>;
}

function parse(
  args: readonly string[],
  table: OptionTable,
): Readonly<Record<string, readonly (string | boolean)[]>> {
  const optionsByFlag = new Map(
    Object.entries(table).map(([name, spec]) => [optionName(name), spec]),
  );
  const optionTypes = [...optionsByFlag].map(([name, { placeholder }]) => {
    const type = placeholder === '' ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: true as const }] as const;
  });
  const options = Object.fromEntries(optionTypes);
  const withValues = args.map((arg, index) => {
    const bare = arg.startsWith('--') ? optionsByFlag.get(arg.slice(2))?.bare : undefined;
    const isBare = bare !== undefined && (args[index + 1] ?? '-').startsWith('-');
    return isBare ? `${arg}=${bare}` : arg;
  });
  const { tokens } = parseArgs({ args: withValues, options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option' && !optionsByFlag.has(token.name)) {
      throw unknownOption(token.rawName, token.name, [...optionsByFlag.keys()]);
    }
    if (token.kind === 'positional') {
      throw new ArgumentError(
        `arguments: expected only options, got "${token.value}"; --help shows them`,
      );
    }
  }
  try {
    return parseArgs({ args: withValues, options }).values as ReturnType<typeof parse>;
  } catch (exception) {
    const { message } = exception as Error;
    throw new ArgumentError(`arguments: ${message.replaceAll('\n', ' ')}`);
  }
}

function unknownOption(typed: string, name: string, knownNames: readonly string[]): ArgumentError {
  const nearest = nearestName(name, knownNames);
  const advice = nearest === undefined ? '; --help shows them' : `, perhaps --${nearest}`;
  return new ArgumentError(`option ${typed}: expected a known option${advice}`);
}

/** Refuses two options of the same group. @throws ArgumentError if two are given. */
export function refuseTogether<Values extends object>(
  values: Values,
  groups: readonly (readonly (keyof Values & string)[])[],
): void {
  for (const group of groups) {
    const [first, second] = group
      .filter((name) => values[name] !== undefined && values[name] !== false)
      .map((name) => `--${optionName(name)}`);
    if (second === undefined) continue;
    throw new ArgumentError(`options ${first}, ${second}: cannot be used together; give only one`);
  }
}

/** Reads the value of an option. @throws ArgumentError that names the option. */
export async function readAs<Value>(
  option: string,
  read: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (exception) {
    const reason = isOptionError(exception) ? exception.reason : messageOf(exception);
    throw new ArgumentError(`option --${option}: ${reason}`);
  }
}

/** The message of an exception about a value or a file. Validation calls the whole value a body. */
export function messageOf(exception: unknown): string {
  const { code, message } = exception as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'there is no such file' : message.replace(/(^|; )body: /g, '$1');
}

/** Options that take a list: on the command line, each item is an option. */
const listOptions: Readonly<Record<string, string>> = {
  apiKeys: 'apiKey',
  faults: 'fault',
  headers: 'header',
};

/** Rewords an exception for the command line: `recordingDelay: …` becomes `option --recording-delay: …`. */
export function asArgumentError(exception: unknown): unknown {
  if (!isOptionError(exception)) return exception;
  const option = listOptions[exception.option] ?? exception.option;
  return new ArgumentError(`option --${optionName(option)}: ${exception.reason}`);
}
