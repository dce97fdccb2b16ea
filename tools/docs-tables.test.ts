import { expect, test } from 'vitest';
import { checkOptions, serveOptions } from '../commands/options.ts';
import { usage } from '../commands/usage.ts';
import { faultSupport } from '../mocks/adapters/fault-support.ts';
import { effectNames, effectOf } from '../mocks/faults/effects/effects.ts';
import { operationNames, operations, pathOf } from '../mocks/http/routes.ts';
import { pages } from './docs.test-support.ts';

const tables = pages()
  .flatMap(({ text }) => text.match(/^\|.*$/gm) ?? [])
  .join('\n');

test('the table of faults by integration says what the tests of the integrations check', () => {
  for (const [name, { reset, partial, slow }] of Object.entries(faultSupport)) {
    const cells = [reset, partial, slow].map((said) => (said === 'refused' ? said : `\`${said}\``));
    expect(tables).toContain(`| ${[name, ...cells].join(' | ')} |`);
  }
});

test('the table of effects in docs/faults.md is that of the code; `vitest -u` writes it', async () => {
  const rows = effectNames.map((name) => {
    const { summary, fields, needsDelay } = effectOf({ effect: name });
    const own = [...Object.keys(fields), ...(needsDelay ? ['delay'] : [])];
    return `| \`${name}\` | ${summary} | ${own.map((field) => `\`${field}\``).join(', ')} |\n`;
  });
  const page = pages().find(({ path }) => path === 'docs/faults.md')?.text ?? '';
  const head = '| `effect` | What happens | Its own fields |\n| --- | --- | --- |\n';
  const start = page.indexOf(head) + head.length;
  const end = page.indexOf('\n\n', start) + 1;
  const written = page.slice(0, start) + rows.join('') + page.slice(end);
  await expect(written).toMatchFileSnapshot('../docs/faults.md');
});

test('every operation is in a table', () => {
  for (const name of operationNames) {
    const line = `${operations[name].method} ${pathOf(name, '')}`;
    expect([`\`${line}\``, `\`${line}?`]).toSatisfy((forms: string[]) =>
      forms.some((form) => tables.includes(form)),
    );
  }
});

test.each([
  { command: 'serve', options: serveOptions },
  { command: 'check', options: checkOptions },
])('every option of $command is in a table', ({ options }) => {
  for (const name of Object.keys(options)) {
    expect(tables).toMatch(new RegExp(`\`--${name}[\` ]`));
  }
});

test('every option in the help is in a table', () => {
  for (const [option] of usage.matchAll(/--[a-z-]+/g)) {
    expect(tables).toMatch(new RegExp(`\`${option}[\` ]`));
  }
});
