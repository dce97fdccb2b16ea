import type { Page, Request } from 'playwright-core';

/** Holds back what the page asks for at an address, until it is released. */
export async function hold(
  page: Page,
  address: RegExp,
): Promise<{ asked: Promise<Request>; release: () => void }> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return { asked: page.waitForRequest(address), release };
}
