import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the notices name each package of the bundle with its version and its license', () => {
  const notices = readFileSync(new URL('../dist/THIRD-PARTY-NOTICES.txt', import.meta.url), 'utf8');
  expect(notices).toMatch(
    /^Name: zod\nVersion: 4\.[\d.]+\nLicense: MIT\n[\s\S]*?\n\nMIT License$/m,
  );
});
