import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { effectNames, effectOf } from '../mocks/faults/effects/effects.ts';

test('the table of effects in docs/faults.md is that of the code; `--update=true` writes it', async () => {
  const rows = effectNames.map((name) => {
    const { summary, fields, needsDelay } = effectOf({ effect: name });
    const own = [...Object.keys(fields), ...(needsDelay ? ['delay'] : [])];
    return `| \`${name}\` | ${summary} | ${own.map((field) => `\`${field}\``).join(', ')} |\n`;
  });
  const page = readFileSync(new URL('../docs/faults.md', import.meta.url), 'utf8');
  const head = '| `effect` | What happens | Its own fields |\n| --- | --- | --- |\n';
  const start = page.indexOf(head) + head.length;
  const end = page.indexOf('\n\n', start) + 1;
  const written = page.slice(0, start) + rows.join('') + page.slice(end);
  await expect(written).toMatchFileSnapshot('../docs/faults.md');
});
