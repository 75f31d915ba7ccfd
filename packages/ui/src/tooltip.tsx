import { Content, Provider, Root, Trigger } from '@radix-ui/react-tooltip';
import { type MouseEvent, type PointerEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';
import { Optional } from './optional.tsx';
import styles from './tooltip.module.css';

/** Wraps all tooltips of a page. Delays in ms (docs/product.md, Constants). */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Provider>
  );
}

/** A short text about one focusable element, within a `TooltipProvider`. A tap shows it and does nothing else. */
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
