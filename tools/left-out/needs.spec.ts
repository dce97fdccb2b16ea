import { expect, test } from 'vitest';
import { useBrowser } from '../browser.test-support.ts';
import { program } from '../program.test-support.ts';

const browser = useBrowser();

test('needs a browser', () => {
  expect(browser().isConnected()).toBe(true);
});

test('needs Redis', () => {
  expect(program('redis')).not.toBe('');
});

test('needs no program', () => {});
