// A Markdown file is compiled to a React component by the build; `headings` comes from packages/build.
declare module '*.md' {
  import type { ComponentType } from 'react';

  /** The second-level headings, in order. */
  export const headings: readonly { readonly depth: 2; readonly id: string; readonly text: string }[];

  const Text: ComponentType;
  export default Text;
}
