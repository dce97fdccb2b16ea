import { readForm } from '../parts/form.tsx';

/** The fault that the form describes; the service checks it. */
export function readFault(form: HTMLFormElement): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(readForm(form)).map(([name, text]) => {
      const { type } = form.elements.namedItem(name) as HTMLInputElement;
      if (type === 'number') return [name, Number(text)];
      if (type === 'textarea') return [name, readJson(text)];
      return [name, name === 'delay' ? readDelay(text) : text];
    }),
  );
}

function readDelay(text: string): unknown {
  const [from, to] = text.split(/\s+to\s+/);
  return to === undefined ? text : { from, to };
}

/** JSON, or else the text itself. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
