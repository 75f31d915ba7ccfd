import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Renders the children again when the value changes. */
  readonly resetBy: unknown;
  readonly fallback: (error: unknown) => ReactNode;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly failure?: { readonly error: unknown } | undefined;
  readonly resetBy?: unknown;
}

/** Renders a fallback for children that throw during rendering or in an effect. */
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
