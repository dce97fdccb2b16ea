import { expect, test } from 'vitest';
import { renderBadge } from './badge.ts';
import {
  conformant,
  deviating,
  hostile,
  interrupted,
  sample,
  scoped,
  unjudgeable,
} from './sample.test-support.ts';
import { headline } from './wording.ts';
import { parseXml } from './xml.test-support.ts';

test('the badge is an image with a name, and does not hide a known deviation', () => {
  const svg = parseXml(renderBadge({ ...deviating, target: hostile }));
  expect(svg.attributes).toMatchObject({ role: 'img', 'aria-labelledby': 'title' });
  expect(svg.children.map(({ name }) => name)).toEqual(['title', 'clipPath', 'g', 'g']);
  expect(svg.children[0]?.text).toContain(
    'livestream interface: conformant, with 1 known deviation and 1 inapplicable requirement, </script>',
  );
  expect(renderBadge(conformant)).toContain('>conformant</text>');
});

test.each([scoped, sample, interrupted, unjudgeable])(
  'only a report on the whole interface that is conformant has a badge',
  (report) => {
    expect(() => renderBadge(report)).toThrow(
      `There is a badge only for a target that conforms in all areas. ${headline(report)}.`,
    );
  },
);
