import { readFileSync } from 'node:fs';
import { Version } from '@cyclonedx/cyclonedx-library/Spec';
import { JsonStrictValidator } from '@cyclonedx/cyclonedx-library/Validation';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../dist/${name}`, import.meta.url), 'utf8');

test('the bill of materials is valid CycloneDX', async () => {
  const validator = new JsonStrictValidator(Version.v1dot6);
  expect(await validator.validate(read('sbom.cdx.json'))).toBeNull();
  expect(await validator.validate('{ "bomFormat": "CycloneDX" }')).not.toBeNull();
});

test('the bill of materials lists the packages whose licenses are in the notices', () => {
  const { components } = JSON.parse(read('sbom.cdx.json'));
  const listed = components.map(
    ({ name, version }: { name: string; version: string }) => `${name} ${version}`,
  );
  const noticed = read('THIRD-PARTY-NOTICES.txt').matchAll(/^-{80}\n\n(.+), /gm);
  expect(listed).toEqual([...noticed].map(([, line]) => line));
  expect(listed).toContainEqual(expect.stringMatching(/^zod 4\./));
});
