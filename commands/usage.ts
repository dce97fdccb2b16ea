import { areas } from '../conformance/model/requirement.ts';
import {
  type CommandOption,
  checkOptions,
  compareOptions,
  learnOptions,
  serveOptions,
} from './options.ts';

const commandUsages: Readonly<Record<string, string>> = {
  serve: `livestream-mock serve [options]

${describeOptions(serveOptions)}
`,
  check: `livestream-mock check (--base-url URL | --mock) [options]

${describeOptions(checkOptions)}

  Areas: ${areas.join(', ')}.
  Exit status: 0 conformant, also with known deviations; 1 not conformant;
  2 incomplete; 3 wrong arguments, or the suite itself failed; 4 the target
  cannot be judged; 129, 130 or 143 interrupted.
`,
  learn: `livestream-mock learn --base-url URL (--out FILE | --check FILE) [options]

${describeOptions(learnOptions)}

  Exit status: 0 written, or the same as the file; 1 the service behaves
  otherwise; 2 something could not be asked, or too little was learned to write
  it; 3 wrong arguments; 4 the service cannot be reached; 129, 130 or 143
  interrupted.
`,
  compare: `livestream-mock compare --base-url URL [options]

${describeOptions(compareOptions)}

  Sends the same random requests to the service and to a mock, and shows how they
  differ. Exit status: 0 no difference, also with known ones; 1 differences, or a
  known one that did not appear; 2 too little could be compared; 3 wrong arguments;
  4 the service cannot be reached; 129, 130 or 143 interrupted.
`,
  render: `livestream-mock render REPORT.json FILE...

  writes a report again in the formats that the file names ask for:
  .json .xml .html .md .svg
`,
};

/** The help of a command; of all commands where there is none of this name. */
export function usageOf(command: string): string {
  const usages = Object.hasOwn(commandUsages, command)
    ? [commandUsages[command]]
    : [
        ...Object.values(commandUsages),
        'livestream-mock --version\nlivestream-mock [command] --help\n',
      ];
  return `Usage:\n\n${usages.join('\n')}`;
}

function describeOptions(options: Readonly<Record<string, CommandOption>>): string {
  return Object.entries(options)
    .map(([name, option]) => describeOption(name, option))
    .join('\n');
}

/** The option, what it does, and its default, each in a column. */
function describeOption(name: string, option: CommandOption): string {
  const { value = '', help, otherwise = option.default ?? '' } = option;
  const [first = '', ...others] = help.split('\n');
  const line = `--${name} ${value}`.padEnd(21) + `${first} `.padEnd(41) + otherwise;
  return [line, ...others.map((more) => ' '.repeat(21) + more)]
    .map((text) => `  ${text}`.trimEnd())
    .join('\n');
}
