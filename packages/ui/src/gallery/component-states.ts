import type { ReactElement } from 'react';

/** A component with the states that it can be in, each under a name of its own, to be looked at. */
export interface ComponentStates {
  /** The component's name as `index.ts` exports it. */
  readonly component: string;
  /** It reaches from edge to edge of the window and brings the page's margins itself. */
  readonly fullWidth?: boolean;
  readonly states: Readonly<Record<string, ReactElement>>;
}
