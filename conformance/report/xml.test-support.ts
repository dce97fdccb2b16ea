import { SaxesParser } from 'saxes';

/** An element of an XML file, as an independent parser reads it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  /** The text of the element and of all elements in it. */
  readonly text: string;
}

/** Parses XML, and returns its root. @throws Error if it is not well-formed. */
export function parseXml(xml: string): Element {
  const root = { name: '', attributes: {}, children: [] as Element[], text: '' };
  const open = [root];
  const addText = (text: string): void => {
    for (const element of open) element.text += text;
  };
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(xml).close();
  const [first] = root.children;
  if (first === undefined) throw new Error('The file has no element.');
  return first;
}

/** The elements with a name in an element, including itself. */
export function findElements(element: Element, name: string): Element[] {
  const below = element.children.flatMap((child) => findElements(child, name));
  return element.name === name ? [element, ...below] : below;
}
