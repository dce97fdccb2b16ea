import { parseArgs } from 'node:util';
import { nearestName } from '../text/nearest-name.ts';
import { isOptionError, readPageOrigin } from '../text/option-error.ts';

/** An argument is wrong. The message is one sentence, and the exit status is 3. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/** An option of a command. */
export interface CommandOption<Value = unknown> {
  /** What the help calls the value; empty for a switch. */
  readonly placeholder: string;
  /** What the help shows as the default. */
  readonly defaultText: string;
  /** The value of an option that is given without one. If this is not set, a value is required. */
  readonly bare?: string;
  readonly help: string;
  /** Reads the values that were given; an error says what was expected. */
  readonly read: (texts: readonly string[]) => Value | Promise<Value>;
}

/** A command's options by their names in code: `apiKey` is `--api-key`. */
export type OptionTable = Readonly<Record<string, CommandOption>>;

/** The values of a command's options, without those that were not given. */
export type OptionValues<Table extends OptionTable> = Defined<{
  readonly [Name in keyof Table]: Table[Name] extends CommandOption<infer Value> ? Value : never;
}>;

/** How the help shows an option, and how each of its values is read; an error says what was expected. */
type OptionSpec<Value> = [
  placeholder: string,
  defaultText: string,
  help: string,
  read: (text: string) => Value | Promise<Value>,
];

/** A switch. */
export function flag(help: string): CommandOption<boolean> {
  return { placeholder: '', defaultText: '', help, read: (texts) => texts.length > 0 };
}

/** An option that may be given several times, or not at all. */
export function repeatable<Value>(...spec: OptionSpec<Value>): CommandOption<Value[] | undefined> {
  const [placeholder, defaultText, help, read] = spec;
  const readAll = async (texts: readonly string[]) =>
    texts.length === 0 ? undefined : await Promise.all(texts.map(read));
  return { placeholder, defaultText, help, read: readAll };
}

/** An option that may be left out; `defaultText` says what happens then. The last of several values counts. */
export function optional<Value>(...spec: OptionSpec<Value>): CommandOption<Value | undefined> {
  const [placeholder, defaultText, help, read] = spec;
  const readLast = async (texts: readonly string[]) =>
    texts.length === 0 ? undefined : await read(texts.at(-1) ?? '');
  return { placeholder, defaultText, help, read: readLast };
}

/** An option with a default, which is read like any other value. */
export function preset<Value>(...spec: OptionSpec<Value>): CommandOption<Value> {
  const [placeholder, defaultText, help, read] = spec;
  return { placeholder, defaultText, help, read: (texts) => read(texts.at(-1) ?? defaultText) };
}

/** Reads any text except an empty one, which is what an unset shell variable gives. */
export function asText(text: string): string {
  if (text !== '') return text;
  throw new Error('expected a value, got an empty text');
}

/** Reads an origin of pages. */
export function asOrigin(text: string): string {
  return readPageOrigin('origin', text);
}

/** Reads a whole number. */
export function integer(low: number, high: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,12}$/.test(text) && Number(text) >= low && Number(text) <= high) return Number(text);
    throw new Error(`expected a whole number from ${low} to ${high}, got "${text}"`);
  };
}

/** Reads one of some names. */
export function oneOf<const Name extends string>(names: readonly Name[]): (text: string) => Name {
  return (text) => {
    const name = names.find((known) => known === text);
    if (name !== undefined) return name;
    throw new Error(`expected one of ${names.join(', ')}, got "${text}"`);
  };
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
    const option = nameOf(name);
    values[name] = await readAs(option, () => read((textsByOption[option] ?? []).map(String)));
  }
  return onlyDefined(values) as OptionValues<Table>;
}

function parse(
  args: readonly string[],
  table: OptionTable,
): Readonly<Record<string, readonly (string | boolean)[]>> {
  const optionsByFlag = new Map(Object.entries(table).map(([name, spec]) => [nameOf(name), spec]));
  const options = [...optionsByFlag].map(([name, { placeholder }]) => {
    const type = placeholder === '' ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: true as const }] as const;
  });
  const withValues = args.map((arg, index) => {
    const bare = arg.startsWith('--') ? optionsByFlag.get(arg.slice(2))?.bare : undefined;
    const isBare = bare !== undefined && (args[index + 1] ?? '-').startsWith('-');
    return isBare ? `${arg}=${bare}` : arg;
  });
  try {
    const { values, positionals } = parseArgs({
      args: withValues,
      options: Object.fromEntries(options),
      allowPositionals: true,
    });
    if (positionals.length === 0) return values as ReturnType<typeof parse>;
    throw new Error(`expected only options, got "${positionals[0]}"; --help shows them`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      throw new ArgumentError(`arguments: ${message.replaceAll('\n', ' ')}`);
    }
    const [, option = ''] = /'([^' ]*)/.exec(message) ?? [];
    const nearest = nearestName(option.replace(/^-+/, ''), [...optionsByFlag.keys()]);
    const advice = nearest === undefined ? '; --help shows them' : `, perhaps --${nearest}`;
    throw new ArgumentError(`option ${option}: expected a known option${advice}`);
  }
}

/** Refuses two options of the same group. @throws ArgumentError if two are given. */
export function refuseTogether<Values extends object>(
  values: Values,
  groups: readonly (readonly (keyof Values & string)[])[],
): void {
  for (const group of groups) {
    const [first, second] = group
      .filter((name) => values[name] !== undefined && values[name] !== false)
      .map((name) => `--${nameOf(name)}`);
    if (second === undefined) continue;
    throw new ArgumentError(`options ${first}, ${second}: cannot be used together; give only one`);
  }
}

/** The name of an option on the command line, without its hyphens. */
function nameOf(name: string): string {
  return name.replace(/[A-Z]/g, '-$&').toLowerCase();
}

/** Reads the value of an option. @throws ArgumentError that names the option. */
export async function readAs<Value>(
  option: string,
  read: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    const reason = isOptionError(error) ? error.reason : messageOf(error);
    throw new ArgumentError(`option --${option}: ${reason}`);
  }
}

/** The message of an error about a value or a file. Validation calls the whole value a body. */
export function messageOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'there is no such file' : message.replace(/(^|; )body: /g, '$1');
}

/** Options of the mock that take a list: on the command line, each item is an option. */
const listOptions: Readonly<Record<string, string>> = { apiKeys: 'apiKey', faults: 'fault' };

/** Rewords an error for the command line: `recordingDelay: …` becomes `option --recording-delay: …`. */
export function asArgumentError(error: unknown): unknown {
  if (!isOptionError(error)) return error;
  const option = listOptions[error.option] ?? error.option;
  return new ArgumentError(`option --${nameOf(option)}: ${error.reason}`);
}

type Defined<Values> = {
  [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name];
} & {
  [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<
    Values[Name],
    undefined
  >;
};

/** An object without its `undefined` values. */
export function onlyDefined<Values extends object>(values: Values): Defined<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Values>;
}

/** The help in columns: each option, what it does, and its default. */
export function describeOptions(table: OptionTable): string {
  const lines = Object.entries(table).map(([name, { placeholder, help, defaultText }]) =>
    `  ${`--${nameOf(name)} ${placeholder}`.padEnd(21)}${`${help} `.padEnd(41)}${defaultText}`.trimEnd(),
  );
  const hasTimes = Object.values(table).some(({ placeholder }) => placeholder === 'T');
  const units = '  T is a time such as 500ms, 30s, 2m or 1h; a bare number is milliseconds.';
  return [...lines, ...(hasTimes ? ['', units] : [])].join('\n');
}
