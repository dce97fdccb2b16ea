import { expect, test } from 'vitest';
import { renderBadge } from './badge.ts';
import { conformant, deviating, hostile } from './sample.test-support.ts';
import { parseXml } from './xml.test-support.ts';

test('the badge is an image with a name, and does not hide a known deviation', () => {
  const svg = parseXml(renderBadge({ ...deviating, target: hostile }));
  const [title] = svg.children;
  expect(svg).toMatchObject({
    name: 'svg',
    attributes: { role: 'img', 'aria-labelledby': 'title' },
  });
  expect(title).toMatchObject({ name: 'title', attributes: { id: 'title' } });
  expect(title?.text).toContain(
    'livestream interface: conformant, with 1 known deviation and 1 inapplicable requirement, </script>',
  );
  expect(svg.children.map(({ name }) => name)).toEqual(['title', 'clipPath', 'g', 'g']);
});

test('the badge of a target without deviations says just conformant', () => {
  expect(renderBadge(conformant)).toContain('>conformant</text>');
});
