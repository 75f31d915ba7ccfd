export type Role = 'button' | 'checkbox' | 'link' | 'textbox';
export type Key = 'Enter' | 'Escape';

/** What a journey does with a browser: what both Puppeteer and W3C WebDriver can do. */
export interface BrowserWindow {
  open(url: string): Promise<unknown>;
  url(): Promise<string>;
  /** Runs a function in the page, without anything of its scope; parameters and result as JSON. */
  evaluate<Parameters extends readonly unknown[], Result>(
    run: (...parameters: Parameters) => Result,
    ...parameters: Parameters
  ): Promise<Awaited<Result>>;
  /** Clicks the first visible element of a role and an accessible name, as the engine computes them; waits for it. */
  click(role: Role, name: string): Promise<unknown>;
  press(key: Key): Promise<unknown>;
  type(text: string): Promise<unknown>;
  /** Accepts native alerts; returns the text of each since the start. */
  alerts(): Promise<readonly string[]>;
  countTabs(): Promise<number>;
  takeScreenshot(): Promise<Uint8Array>;
  /** Returns the console's errors and warnings, and uncaught errors, since the start. */
  messages(): Promise<readonly string[]>;
}

export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

/** Opens a window with one tab; it is closed when `opened` is disposed. */
export type OpenWindow = (size: WindowSize, opened: AsyncDisposableStack) => Promise<BrowserWindow>;

export const elementTimeout = 20_000;
