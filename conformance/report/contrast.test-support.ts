import type { Page } from 'playwright-core';

/** The contrast of a text with its background as WCAG 2 defines it; 4.5 is enough. */
export interface Contrast {
  readonly text: string;
  readonly ratio: number;
}

/** The contrast of every text on a page. */
export async function contrasts(page: Page): Promise<Contrast[]> {
  const found = await page.evaluate(readColours);
  return found.map(({ text, front, back }) => ({ text, ratio: contrast(front, back) }));
}

/** Runs in the page: each element with text of its own, its colour, and the background behind it. */
function readColours(): { text: string; front: string; back: string }[] {
  const background = (element: Element | null): string => {
    if (element === null) return 'rgb(255, 255, 255)';
    const { backgroundColor } = getComputedStyle(element);
    return backgroundColor === 'rgba(0, 0, 0, 0)'
      ? background(element.parentElement)
      : backgroundColor;
  };
  return [...document.body.querySelectorAll('*:not(script)')].flatMap((element) => {
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const text = own.map(({ nodeValue }) => nodeValue?.trim()).join('');
    const front = getComputedStyle(element).color;
    return text === '' ? [] : [{ text, front, back: background(element) }];
  });
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
