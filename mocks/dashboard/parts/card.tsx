import type { ComponentChildren, VNode } from 'preact';

interface CardProps {
  /** Its heading has the id `{id}-heading`, and can take the focus. */
  readonly id: string;
  readonly title: string;
  /** Whether it is a part of an article. */
  readonly isPart?: boolean;
  /** What stands beside the heading. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A titled part of a view. */
export function Card({ id, title, isPart = false, tools, children }: CardProps): VNode {
  const Heading = isPart ? 'h3' : 'h2';
  return (
    <section class="card stack" aria-labelledby={`${id}-heading`}>
      <div class="bar">
        <Heading id={`${id}-heading`} tabIndex={-1}>
          {title}
        </Heading>
        {tools}
      </div>
      {children}
    </section>
  );
}

/** The button that sends a form. */
export function Submit({ label, isMain = false }: { label: string; isMain?: boolean }): VNode {
  return (
    <button type="submit" class={isMain ? 'main' : ''}>
      {label}
    </button>
  );
}
