import type { VNode } from 'preact';

interface TextProps {
  readonly label: string;
  readonly children: string;
}

/** Text that scrolls, and that a keyboard can scroll. */
export function Text({ label, children }: TextProps): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus is scrolled by keys
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <pre tabIndex={0} role="group" aria-label={label}>
      {children}
    </pre>
  );
}
