import type { ComponentProps } from 'react';
import { type ButtonStyle, buttonClassNames } from '../button/button-style.ts';

export interface ButtonLinkProps extends Omit<ComponentProps<'a'>, 'href'>, ButtonStyle {
  readonly href: string;
}

/** A link that matters as much as a button. It goes somewhere; what does something is a `Button`. */
export function ButtonLink({ variant, size, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} className={buttonClassNames({ variant, size }, className)}>
      {children}
    </a>
  );
}
