// A remote's Markdown file is compiled to a React component by the build (packages/build, browser-build.ts).
declare module '*.md' {
  import type { ComponentProps, ComponentType, FunctionComponent, ReactNode } from 'react';

  /** The second-level headings, in order. */
  export const headings: readonly { readonly id: string; readonly text: string }[];

  /** What to render in place of HTML elements. */
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
