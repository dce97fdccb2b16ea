import { createCopyButton } from './copy.ts';
import { create, setText } from './dom.ts';

/** A named text of something that is shown. */
export interface Fact<Subject> {
  readonly name: string;
  readonly read: (subject: Subject) => string;
  /** What is copied, where that is not what is shown; false where there is nothing to copy. */
  readonly copied?: ((subject: Subject) => string) | false;
}

/** Fills a list with facts; the function that it returns shows those of a subject. */
export function createFacts<Subject>(
  list: HTMLElement,
  facts: readonly Fact<Subject>[],
): (subject: Subject) => void {
  let shown: Subject | undefined;
  const updates = facts.map(({ name, read, copied = read }) => {
    const text = create('span', { className: copied === false ? '' : 'mono' });
    const value = create('dd', {}, text);
    if (copied !== false) {
      value.append(createCopyButton(name, () => (shown === undefined ? '' : copied(shown))));
    }
    list.append(create('div', {}, create('dt', {}, name), value));
    return (subject: Subject) => setText(text, read(subject));
  });
  return (subject) => {
    shown = subject;
    for (const update of updates) update(subject);
  };
}
