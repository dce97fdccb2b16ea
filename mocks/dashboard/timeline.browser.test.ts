import { expect, test } from 'vitest';
import { expectShown, useDashboard } from './dashboard.test-support.ts';

const openDashboard = useDashboard();

/** Opens a stream that was live for three seconds, a jump of `pause` before the present session. */
async function openTimeline(pause: string) {
  const setup = await openDashboard({ context: { timezoneId: 'UTC' } });
  const { page, world } = setup;
  const { id } = await world.createStream({ name: 'Twice live' });
  await world.start(id, { duration: 3 });
  world.clock.advance(pause);
  await world.start(id);
  const timeline = page.locator('.timeline');
  await expectShown(timeline.getByRole('button', { name: /^Session from .*, live for / }));
  return { ...setup, timeline };
}

test('a jump of the clock is a mark of the same width, however far it goes', async () => {
  for (const pause of ['1m', '700h']) {
    const { timeline } = await openTimeline(pause);
    const mark = timeline.getByRole('button', { name: /^The clock was advanced/ });
    expect((await mark.boundingBox())?.width).toBe(14);
  }
});

test('moves of the clock with nothing between them are one mark', async () => {
  const { timeline, world } = await openTimeline('1m');
  for (const by of ['1m', '10m', '1h']) world.clock.advance(by);
  const marks = timeline.getByRole('button', { name: /^The clock was / });
  // One before the present session, and one during it.
  await expect.poll(() => marks.count()).toBe(2);
  const text = /^The clock was advanced 3 times, by 1 h 11 min in all, between .* and .*\.$/;
  await expectShown(timeline.getByRole('button', { name: text }));
});

test('a line with too much for the screen is scrolled, and begins with what is newest', async () => {
  const context = { viewport: { width: 390, height: 844 } };
  const { page, server, world } = await openDashboard({ context });
  const { id } = await world.createStream({ name: 'Often live' });
  for (let times = 0; times < 15; times += 1) {
    await world.start(id, { duration: 3 });
    world.clock.advance('1h');
  }
  await page.goto(`${server.origin}/`);
  const marks = page.locator('.timeline').getByRole('button', { name: /^The clock was / });
  await expect.poll(() => marks.count()).toBe(15);
  const places = await marks.evaluateAll((elements) =>
    elements.map((element) => element.getBoundingClientRect().x),
  );
  const distances = places.slice(1).map((place, index) => place - (places[index] ?? 0));
  expect(Math.min(...distances)).toBeGreaterThan(14);
  const widths = await page.locator('.strip').evaluate((strip) => ({
    hidden: strip.scrollWidth - strip.clientWidth,
    before: strip.scrollLeft,
  }));
  expect(widths.hidden).toBeGreaterThan(0);
  expect(widths.before).toBeCloseTo(widths.hidden, 0);
});

test('the views of a phone are in front of the timeline', async () => {
  const { page, timeline } = await openTimeline('1m');
  await page.setViewportSize({ width: 390, height: 844 });
  const mark = timeline.getByRole('button', { name: /^The clock was advanced/ });
  const coversMark = await mark.evaluate((element) => {
    const toNavigation = innerHeight - 30 - element.getBoundingClientRect().top;
    document.body.style.paddingTop = `${toNavigation}px`;
    const { x, y, width, height } = element.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('nav') !== null;
  });
  expect(coversMark).toBe(true);
});

test('the times under the timeline have a date where it changes', async () => {
  const { timeline } = await openTimeline('36h');
  const ticks = timeline.locator('.ticks > span');
  await expect.poll(() => ticks.first().innerText()).toMatch(/^00:00\s+1 Jan$/);
  await expect.poll(() => ticks.last().innerText()).toMatch(/^12:00\s+2 Jan$/);
});

test('the legend shows what is on the timeline, each sign beside its words', async () => {
  const { page, timeline } = await openTimeline('1m');
  const entries = timeline.locator('.legend > span');
  await expect.poll(() => entries.allInnerTexts()).toEqual(['not recorded', 'clock moved']);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const entry of await entries.all()) {
    expect((await entry.boundingBox())?.height).toBeLessThan(24);
  }
});

test('an item says what it is when it gets the focus', async () => {
  const { timeline } = await openTimeline('1m');
  await timeline.getByRole('button', { name: /^The clock was advanced/ }).focus();
  await expectShown(timeline.getByText(/^The clock was advanced by 1 min at /));
});
