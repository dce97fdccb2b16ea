import { expect, test } from 'vitest';
import { openBrowser } from '../../tools/browser.test-support.ts';
import { archiveOfEveryKind } from './har.test-support.ts';

/**
 * Imports an archive in the network panel of Chromium's own DevTools, and returns what the panel then knows of each
 * request. It is a text, because Vite rewrites every `import` in a function.
 */
function importInPanel(archive: string): string {
  return `(async () => {
    const load = (path) => import('devtools://devtools/bundled/' + path);
    const { ViewManager } = await load('ui/legacy/legacy.js');
    const { NetworkPanel } = await load('panels/network/network.js');
    const { NetworkLog } = await load('models/logs/logs.js');
    await ViewManager.ViewManager.instance().showView('network');
    const { networkLogView } = NetworkPanel.NetworkPanel.instance();
    await networkLogView.onLoadFromFile(new File([${JSON.stringify(archive)}], 'mock.har'));
    return Promise.all(
      NetworkLog.NetworkLog.instance().requests().map(async (request) => ({
        url: request.url(),
        status: request.statusCode,
        type: request.resourceType().name(),
        transferred: request.transferSize,
        sent: await request.requestFormData(),
      })),
    );
  })()`;
}

test('the network panel of Chromium opens an archive', async () => {
  const archive = await archiveOfEveryKind();
  const page = await (await openBrowser()).newPage();
  await page.goto('devtools://devtools/bundled/inspector.html');
  expect(await page.evaluate(importInPanel(JSON.stringify(archive)))).toEqual(
    archive.log.entries.map(({ request, response, _resourceType }) => ({
      url: request.url,
      status: response.status,
      type: _resourceType,
      transferred: response.content.size,
      sent: request.postData?.text ?? null,
    })),
  );
  const rows = page.getByRole('row');
  await expect.poll(() => rows.count()).toBe(archive.log.entries.length + 1);
  const created = rows.filter({ hasText: '?a=1&a=2' });
  expect(await created.innerText()).toMatch(/201\s+fetch/);
});
