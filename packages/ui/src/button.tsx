import type { ComponentProps, MouseEvent } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Spinner } from './status.tsx';

interface ButtonStyle {
  /** `primary` for the one thing a page wants done, `secondary` beside it. */
  readonly variant?: 'primary' | 'secondary' | undefined;
  readonly size?: 'regular' | 'large' | undefined;
}

function buttonClassNames({ variant = 'primary', size = 'regular' }: ButtonStyle, className?: string): string {
  return classNames(styles.button, styles[variant], styles[size], className);
}

export interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  readonly busy?: boolean | undefined;
  /** The label while busy, `Processing...` for example; without one the label stays. */
  readonly busyLabel?: string | undefined;
}

/**
 * Something to press. While busy it keeps its place, its width and the focus, so that nobody who uses a
 * keyboard is thrown back to the top of the page; a second press does nothing, also not through Enter in a
 * field of its form.
 */
export function Button({
  variant,
  size,
  busy = false,
  busyLabel,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const pressOnce = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  const labelNotShown =
    busyLabel !== undefined && typeof children === 'string' ? (busy ? children : busyLabel) : undefined;
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || rest['aria-disabled']}
      className={buttonClassNames({ variant, size }, className)}
      onClick={pressOnce}
    >
      <span className={styles.label} data-label-not-shown={labelNotShown}>
        <span className={styles.text}>
          {busy && (
            <span className={styles.spinner}>
              <Spinner />
            </span>
          )}
          {busy ? (busyLabel ?? children) : children}
        </span>
      </span>
    </button>
  );
}

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
