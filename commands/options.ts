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

/** The name of an option on the command line, without its hyphens. */
export function optionName(name: string): string {
  return name.replace(/[A-Z]/g, '-$&').toLowerCase();
}

/** The help in columns: each option, what it does, and its default. */
export function describeOptions(table: OptionTable): string {
  const lines = Object.entries(table).map(([name, { placeholder, help, defaultText }]) =>
    `  ${`--${optionName(name)} ${placeholder}`.padEnd(21)}${`${help} `.padEnd(41)}${defaultText}`.trimEnd(),
  );
  const hasTimes = Object.values(table).some(({ placeholder }) => placeholder === 'T');
  const units = '  T is a time such as 500ms, 30s, 2m or 1h; a bare number is milliseconds.';
  return [...lines, ...(hasTimes ? ['', units] : [])].join('\n');
}
