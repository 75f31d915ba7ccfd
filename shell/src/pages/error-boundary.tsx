import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** With another value, what is inside is tried again. */
  readonly resetBy: unknown;
  readonly fallback: (error: unknown) => ReactNode;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly failure?: { readonly error: unknown } | undefined;
  readonly resetBy?: unknown;
}

/** Draws something else in the place of what throws while it is rendered, or in an effect. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override readonly state: ErrorBoundaryState = {};

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ resetBy }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return resetBy === state.resetBy ? null : { failure: undefined, resetBy };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure ? this.props.fallback(failure.error) : this.props.children;
  }
}
