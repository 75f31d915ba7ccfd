import { Content, Provider, Root, Trigger } from '@radix-ui/react-tooltip';
import { type MouseEvent, type PointerEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';
import styles from './tooltip.module.css';

/** Section 9 of docs/product.md, in ms: how long the pointer rests before a tooltip shows, and how soon after one the next shows at once. */
export const tooltipDelays = { hover: 700, skip: 300 } as const;

/** Goes once around all tooltips of a page: the skip delay counts from any of them to the next. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Provider delayDuration={tooltipDelays.hover} skipDelayDuration={tooltipDelays.skip}>
      {children}
    </Provider>
  );
}

/**
 * A few words about a control: on hover, on focus, and on a tap. Escape, a second tap and a tap anywhere else hide them.
 * Never the only place of what a visitor must know. Needs a `TooltipProvider` around it.
 *
 * @param children what it is about: one element that takes focus; a tap on it shows the tooltip and does nothing else
 */
export function Tooltip({ content, children }: { readonly content: string; readonly children: ReactElement }) {
  const [open, setOpen] = useState(false);
  const tap = useRef<'shows' | 'hides'>(undefined);

  const notePress = ({ pointerType }: PointerEvent) => {
    tap.current = pointerType === 'touch' ? (open ? 'hides' : 'shows') : undefined;
  };
  // A finger does not hover, and any click hides the tooltip unless its default is prevented.
  const press = (event: MouseEvent) => {
    if (tap.current !== 'shows') return;
    event.preventDefault();
    setOpen(true);
  };

  return (
    <Root open={open} onOpenChange={setOpen}>
      <Trigger asChild onPointerDown={notePress} onClick={press}>
        {children}
      </Trigger>
      {/* Not moved to the end of the page: inside a dialog that would lie behind it. */}
      <Content className={styles.tooltip} sideOffset={6} collisionPadding={8}>
        {content}
      </Content>
    </Root>
  );
}
