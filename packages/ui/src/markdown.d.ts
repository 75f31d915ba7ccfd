// The build compiles a remote's Markdown files to React components (packages/build, browser-build.ts).
declare module '*.md' {
  import type { ComponentProps, ComponentType, ReactElement, ReactNode } from 'react';

  interface TextProperties {
    readonly components?: {
      readonly table?: ComponentType<{ readonly children?: ReactNode }>;
      readonly h2?: ComponentType<ComponentProps<'h2'>>;
      readonly ul?: ComponentType<ComponentProps<'ul'>>;
    };
  }

  /** The lines between two `---` at the beginning of the file. */
  export const frontmatter: { readonly lastUpdated?: string } | undefined;

  /** A component, or a function that returns the text's elements as the children of one fragment. */
  export default function Text(properties: TextProperties): ReactElement<{ readonly children?: ReactNode }>;
}
