import { areas } from '../conformance/model/requirement.ts';
import { type CommandOption, checkOptions, serveOptions } from './options.ts';

/** What `livestream-mock --help` prints. */
export const usage: string = `Usage:

livestream-mock serve [options]

${describeOptions(serveOptions)}

livestream-mock check (--base-url URL | --mock) [options]

${describeOptions(checkOptions)}

  Areas: ${areas.join(', ')}.
  Exit status: 0 conformant, also with known deviations; 1 not conformant;
  2 incomplete; 3 wrong arguments, or the suite itself failed; 4 the target
  cannot be judged; 130 or 143 interrupted.

livestream-mock render REPORT.json FILE...

  writes a report again in the formats that the file names ask for:
  .json .xml .html .md .svg

livestream-mock --version
livestream-mock --help
`;

function describeOptions(options: Readonly<Record<string, CommandOption>>): string {
  return Object.entries(options)
    .map(([name, option]) => describeOption(name, option))
    .join('\n');
}

/** The option, what it does, and its default, each in a column. */
function describeOption(name: string, option: CommandOption): string {
  const { value = '', help, otherwise } = option;
  const shown = otherwise ?? (typeof option.default === 'string' ? option.default : '');
  const [first = '', ...others] = help.split('\n');
  const line = `--${name} ${value}`.padEnd(21) + first.padEnd(41) + shown;
  return [line, ...others.map((more) => ' '.repeat(21) + more)]
    .map((text) => `  ${text}`.trimEnd())
    .join('\n');
}
