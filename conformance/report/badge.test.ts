import { expect, test } from 'vitest';
import { renderBadge } from './badge.ts';
import { parseXml, usePages } from './browser.test-support.ts';
import { conformant, hostile } from './sample.test-support.ts';

const openPage = usePages();

test('the badge is an image with a name, and does not hide a known deviation', async () => {
  const page = await openPage();
  const svg = await parseXml(page, renderBadge({ ...conformant, target: hostile }));
  const [title] = svg.children;
  expect(svg).toMatchObject({
    name: 'svg',
    attributes: { role: 'img', 'aria-labelledby': 'title' },
  });
  expect(title).toMatchObject({ name: 'title', attributes: { id: 'title' } });
  expect(title?.text).toContain('livestream interface: conformant, 1 known to deviate, </script>');
  expect(svg.children.map(({ name }) => name)).toEqual(['title', 'clipPath', 'g', 'g']);
});

test('the badge of a target without deviations says conformant alone', () => {
  const results = conformant.results.filter(({ outcome }) => outcome === 'pass');
  expect(renderBadge({ ...conformant, results })).toContain('>conformant</text>');
});
