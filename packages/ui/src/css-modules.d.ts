// What the build makes of imported styles and assets.
declare module '*.module.css' {
  const classNames: Readonly<Record<string, string>>;
  export default classNames;
}

declare module '*.css';

declare module '*.svg' {
  const address: string;
  export default address;
}

declare module '*.woff2' {
  const address: string;
  export default address;
}

// jest-axe brings no types; only this much of it is used.
declare module 'jest-axe' {
  export function axe(element: Element): Promise<{ readonly violations: readonly unknown[] }>;
}
