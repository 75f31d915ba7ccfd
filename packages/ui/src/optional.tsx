import { Component, type ReactNode } from 'react';

/**
 * Renders nothing in place of children that throw, also in their effects: for what a page works without, and what uses
 * browser functions that extensions replace, such as observers. Otherwise the whole page would fail.
 */
export class Optional extends Component<{ readonly children: ReactNode }> {
  static getDerivedStateFromError = () => ({ failed: true });
  override state = { failed: false };

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
