import { Content, Provider, Root, Trigger } from '@radix-ui/react-tooltip';
import { createContext, type ReactElement, type ReactNode, use } from 'react';
import styles from './tooltip.module.css';

/** Section 9 of the product document, in ms: how long the pointer rests before a tooltip shows, and how soon after one the next shows at once. */
export const tooltipDelays = { hover: 700, skip: 300 } as const;

const InGroup = createContext(false);

export interface TooltipGroupProps {
  readonly children: ReactNode;
}

/** Tooltips in one group share the skip delay: moving from one to the next shows it without a wait. */
export function TooltipGroup({ children }: TooltipGroupProps) {
  return (
    <Provider delayDuration={tooltipDelays.hover} skipDelayDuration={tooltipDelays.skip}>
      <InGroup value={true}>{children}</InGroup>
    </Provider>
  );
}

export interface TooltipProps {
  readonly content: string;
  /** What it is about: one element that takes focus. */
  readonly children: ReactElement;
}

/** A few words about a control, on hover and on focus. Never the only place of what a visitor must know. */
export function Tooltip({ content, children }: TooltipProps) {
  const tooltip = (
    <Root>
      <Trigger asChild>{children}</Trigger>
      {/* Not moved to the end of the page: inside a dialog that would lie behind it. */}
      <Content className={styles.tooltip} sideOffset={6} collisionPadding={8}>
        {content}
      </Content>
    </Root>
  );
  return use(InGroup) ? tooltip : <TooltipGroup>{tooltip}</TooltipGroup>;
}
