import { parseArgs } from 'node:util';
import { isOptionError, nearestName } from '../option-error.ts';

/** Wrong arguments: the message is one sentence, the exit status 3. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/** An option of a command. */
export interface CommandOption<Value = unknown> {
  /** What the help calls the value; empty for a switch. */
  readonly value: string;
  /** What the help shows as the default. */
  readonly otherwise: string;
  /** The value where the option is given without one; unless it is set, a value must be given. */
  readonly bare?: string;
  readonly help: string;
  /** Reads the values that were given; an error says what was expected. */
  readonly read: (given: readonly string[]) => Value | Promise<Value>;
}

/** The options of a command by their names in code: `apiKey` is `--api-key`. */
export type OptionTable = Readonly<Record<string, CommandOption>>;

/** The options of a command as they were read, without those that were left out. */
export type OptionValues<Table extends OptionTable> = Defined<{
  readonly [Name in keyof Table]: Table[Name] extends CommandOption<infer Value> ? Value : never;
}>;

/** How the help shows an option, and how one value is read, with an error that says what was expected. */
type Row<Value> = [
  value: string,
  otherwise: string,
  help: string,
  read: (text: string) => Value | Promise<Value>,
];

/** A switch. */
export function flag(help: string): CommandOption<boolean> {
  return { value: '', otherwise: '', help, read: (given) => given.length > 0 };
}

/** An option that may be given several times, or not at all. */
export function repeatable<Value>(
  ...[value, otherwise, help, read]: Row<Value>
): CommandOption<Value[] | undefined> {
  const readAll = async (given: readonly string[]) =>
    given.length === 0 ? undefined : await Promise.all(given.map(read));
  return { value, otherwise, help, read: readAll };
}

/** An option that may be left out; `otherwise` says what holds then. Of several values, the last counts. */
export function optional<Value>(
  ...[value, otherwise, help, read]: Row<Value>
): CommandOption<Value | undefined> {
  const readLast = async (given: readonly string[]) =>
    given.length === 0 ? undefined : await read(given.at(-1) ?? '');
  return { value, otherwise, help, read: readLast };
}

/** An option with a default, which is read like a given value. */
export function preset<Value>(...[value, otherwise, help, read]: Row<Value>): CommandOption<Value> {
  return { value, otherwise, help, read: (given) => read(given.at(-1) ?? otherwise) };
}

/** Takes any text but an empty one, which an unset variable of a shell becomes. */
export function asText(text: string): string {
  if (text !== '') return text;
  throw new Error('expected a value, got an empty text');
}

/** Reads an origin, written as browsers send it; that of an app may have a scheme of its own. */
export function asOrigin(text: string): string {
  const isSent = /^https?:/i.test(text)
    ? URL.canParse(text) && new URL(text).origin === text
    : /^[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+$/.test(text);
  if (isSent) return text;
  const expected = 'a scheme, host and port such as http://localhost:5173';
  throw new Error(`expected ${expected}, as browsers send it, got "${text}"`);
}

/** Reads a whole number. */
export function whole(low: number, high: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,12}$/.test(text) && Number(text) >= low && Number(text) <= high) return Number(text);
    throw new Error(`expected a whole number from ${low} to ${high}, got "${text}"`);
  };
}

/** Reads one of some names. */
export function oneOf<const Name extends string>(names: readonly Name[]): (text: string) => Name {
  return (text) => {
    const name = names.find((one) => one === text);
    if (name !== undefined) return name;
    throw new Error(`expected one of ${names.join(', ')}, got "${text}"`);
  };
}

/**
 * Reads a command's options.
 * @throws ArgumentError for an unknown option, a missing or wrong value, and anything that is no option.
 */
export async function readArguments<Table extends OptionTable>(
  args: readonly string[],
  table: Table,
): Promise<OptionValues<Table>> {
  const given = parse(args, table);
  const values: Record<string, unknown> = {};
  for (const [name, { read }] of Object.entries(table)) {
    const option = nameOf(name);
    values[name] = await readAs(option, () => read((given[option] ?? []).map(String)));
  }
  return defined(values) as OptionValues<Table>;
}

function parse(
  args: readonly string[],
  table: OptionTable,
): Readonly<Record<string, readonly (string | boolean)[]>> {
  const byName = new Map(Object.entries(table).map(([name, one]) => [nameOf(name), one]));
  const options = [...byName].map(([name, { value }]) => {
    const type = value === '' ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: true as const }] as const;
  });
  const withValues = args.map((arg, index) => {
    const { bare } = byName.get(arg.replace(/^--/, '')) ?? {};
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
    const [, option = ''] = /'-*([^' ]*)/.exec(message) ?? [];
    const nearest = nearestName(option, [...byName.keys()]);
    const advice = nearest === undefined ? '; --help shows them' : `, perhaps --${nearest}`;
    throw new ArgumentError(`option --${option}: expected a known option${advice}`);
  }
}

/** Refuses options of a group of which only one can be used. @throws ArgumentError */
export function refuseTogether<Values extends object>(
  values: Values,
  groups: readonly (readonly (keyof Values & string)[])[],
): void {
  for (const group of groups) {
    const [one, other] = group
      .filter((name) => values[name] !== undefined && values[name] !== false)
      .map((name) => `--${nameOf(name)}`);
    if (other !== undefined) throw new ArgumentError(`option ${one}: cannot be used with ${other}`);
  }
}

/** The name of an option on the command line, without its hyphens. */
function nameOf(name: string): string {
  return name.replace(/[A-Z]/g, '-$&').toLowerCase();
}

/** Reads what an option names. @throws ArgumentError which names the option */
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

/** What an error says of a value. Where the whole is wrong, validation calls it a body. */
export function messageOf(error: unknown): string {
  return (error as Error).message.replace(/(^|; )body: /g, '$1');
}

/** An error of an option as one of the command line: `recordingDelay: …` becomes `option --recording-delay: …`. */
export function asArgumentError(error: unknown): unknown {
  if (!isOptionError(error)) return error;
  const option = error.option === 'apiKeys' ? 'api-key' : nameOf(error.option);
  return new ArgumentError(`option --${option}: ${error.reason}`);
}

type Defined<Values> = {
  [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name];
} & {
  [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<
    Values[Name],
    undefined
  >;
};

/** The values that there are: those that are `undefined` are left out. */
export function defined<Values extends object>(values: Values): Defined<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Values>;
}

/** The help of options: each, what it does, and its default, in columns. */
export function describeOptions(table: OptionTable): string {
  const lines = Object.entries(table).map(([name, { value, help, otherwise }]) =>
    `  ${`--${nameOf(name)} ${value}`.padEnd(21)}${`${help} `.padEnd(41)}${otherwise}`.trimEnd(),
  );
  const hasTimes = Object.values(table).some(({ value }) => value === 'T');
  const units = '  T is a time such as 500ms, 30s, 2m or 1h; a number alone is milliseconds.';
  return [...lines, ...(hasTimes ? ['', units] : [])].join('\n');
}
