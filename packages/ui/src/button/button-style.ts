import { classNames } from '../class-names.ts';
import styles from './button.module.css';

/** `primary` for the one thing a page wants done, `secondary` beside it, `quiet` for a way out. */
export type ButtonVariant = 'primary' | 'secondary' | 'quiet';
export type ButtonSize = 'regular' | 'large';

export interface ButtonStyle {
  readonly variant?: ButtonVariant | undefined;
  readonly size?: ButtonSize | undefined;
}

/** Class names of the button's look, which a link that reads as a button shares. */
export function buttonClassNames({ variant = 'primary', size = 'regular' }: ButtonStyle, className?: string): string {
  return classNames(styles.button, styles[variant], styles[size], className);
}
