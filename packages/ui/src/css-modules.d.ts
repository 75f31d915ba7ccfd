// Types of styles and assets imported through the build.
declare module '*.module.css' {
  const classNames: Readonly<Record<string, string>>;
  export default classNames;
}

declare module '*.css';

declare module '*.svg' {
  const address: string;
  export default address;
}

declare module '*.png' {
  const address: string;
  export default address;
}

declare module '*.jpg' {
  const address: string;
  export default address;
}

declare module '*.webp' {
  const address: string;
  export default address;
}

declare module '*.avif' {
  const address: string;
  export default address;
}

declare module '*.pdf' {
  const address: string;
  export default address;
}

// jest-axe has no types; only this part of it is used.
declare module 'jest-axe' {
  export function axe(element: Element): Promise<{ readonly violations: readonly unknown[] }>;
}
