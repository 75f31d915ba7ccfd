import type { ComponentProps, MouseEvent } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Spinner } from './status.tsx';

interface ButtonStyle {
  readonly variant?: 'primary' | 'secondary' | undefined;
  readonly size?: 'regular' | 'large' | undefined;
}

function buttonClassNames({ variant = 'primary', size = 'regular' }: ButtonStyle, className?: string): string {
  return classNames(styles.button, styles[variant], styles[size], className);
}

interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  readonly busy?: boolean | undefined;
  /** Without one the label stays. */
  readonly busyLabel?: string | undefined;
}

/** While busy it keeps its width and focus; further presses are ignored, including Enter in a field of its form. */
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
          {/* An element, because a translator replaces the text, and React inserts the spinner before what is there. */}
          <span>{busy ? (busyLabel ?? children) : children}</span>
        </span>
      </span>
    </button>
  );
}

/** A link with the weight of a button. */
export function ButtonLink({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<'a'> & ButtonStyle & { href: string }) {
  return <a {...rest} className={buttonClassNames({ variant, size }, className)} />;
}
