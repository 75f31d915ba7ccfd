import type { ComponentProps } from 'react';

/** A section's heading takes the focus when a link leads to it, so that keyboard and screen reader go on from there. */
export function SectionHeading({ children, ...properties }: ComponentProps<'h2'>) {
  return (
    <h2 {...properties} tabIndex={-1}>
      {children}
    </h2>
  );
}
