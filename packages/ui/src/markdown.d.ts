// The build compiles a remote's Markdown files to React components (packages/build, browser-build.ts).
declare module '*.md' {
  import type { ComponentProps, ComponentType, FunctionComponent, ReactNode } from 'react';

  /** The second-level headings, in order. */
  export const headings: readonly { readonly id: string; readonly text: string }[];

  /** Components that replace HTML elements. */
  interface TextProperties {
    readonly components?: {
      readonly table?: ComponentType<{ readonly children?: ReactNode }>;
      readonly h2?: ComponentType<ComponentProps<'h2'>>;
      readonly ul?: ComponentType<ComponentProps<'ul'>>;
    };
  }

  const Text: FunctionComponent<TextProperties>;
  export default Text;
}
