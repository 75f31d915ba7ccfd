import { Component, type ReactNode } from 'react';

/** Renders nothing in place of children that throw, also in effects, such as for observers that an extension has replaced. */
export class Optional extends Component<{ readonly children: ReactNode }> {
  static getDerivedStateFromError = () => ({ failed: true });
  override state = { failed: false };

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
