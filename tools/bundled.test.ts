import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the notices name each package of the bundle with its version and its license', () => {
  const notices = readFileSync(new URL('../dist/THIRD-PARTY-NOTICES.txt', import.meta.url), 'utf8');
  expect(notices).toMatch(/^zod 4\.[\d.]+, MIT\n\nMIT License$/m);
});
