import { Content, Provider, Root, Trigger } from '@radix-ui/react-tooltip';
import { type MouseEvent, type PointerEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';
import { Optional } from './optional.tsx';
import styles from './tooltip.module.css';

/**
 * In ms (docs/product.md, Constants): the hover delay, and the time after a tooltip in which the next one shows at
 * once.
 */
const tooltipDelays = { hover: 700, skip: 300 } as const;

/** Wraps all tooltips of a page: the skip delay applies between any of them. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Provider delayDuration={tooltipDelays.hover} skipDelayDuration={tooltipDelays.skip}>
      {children}
    </Provider>
  );
}

/**
 * A short text about a control: on hover, on focus, and on a tap. Escape, a second tap and a tap elsewhere hide it.
 * Never use it as the only place of important information. Requires a `TooltipProvider` around it.
 *
 * @param children one focusable element; a tap on it shows the tooltip and does nothing else
 */
export function Tooltip({ content, children }: { readonly content: string; readonly children: ReactElement }) {
  const [open, setOpen] = useState(false);
  const tap = useRef<'shows' | 'hides'>(undefined);

  const notePress = ({ pointerType }: PointerEvent) => {
    tap.current = pointerType === 'touch' ? (open ? 'hides' : 'shows') : undefined;
  };
  // Touch screens have no hover, and any click hides the tooltip unless its default is prevented.
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
      {/* Not rendered in a portal at the end of the page: that would be behind an open dialog. */}
      <Optional>
        <Content className={styles.tooltip} side="bottom" align="start" sideOffset={6} collisionPadding={8}>
          {content}
        </Content>
      </Optional>
    </Root>
  );
}
