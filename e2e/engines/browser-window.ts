/** Roles of elements that a visitor acts on. */
export type Role = 'button' | 'checkbox' | 'link' | 'textbox';

/** Keys without a character, with their values in WebDriver. */
const keyValues = { Enter: '\uE007', Escape: '\uE00C' } as const;
export type Key = keyof typeof keyValues;

/** Returns WebDriver's actions that press keys. */
export const keyActions = (keys: Iterable<string>) => ({
  type: 'key',
  id: 'keyboard',
  actions: Array.from(keys, (key) => keyValues[key as Key] ?? key).flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]),
});

/** What both WebDriver BiDi and W3C WebDriver can do, so that each engine runs the same journeys. */
export interface BrowserWindow {
  open(url: string): Promise<void>;
  url(): Promise<string>;
  /** Runs a function in the page, without anything of its scope; parameters and result as JSON. */
  evaluate<Parameters extends readonly unknown[], Result>(
    run: (...parameters: Parameters) => Result,
    ...parameters: Parameters
  ): Promise<Awaited<Result>>;
  /** Clicks the first visible element of a role and a name, both as the engine computes them; waits for it. */
  click(role: Role, name: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** Types into the element that has the focus. */
  type(text: string): Promise<void>;
  /** Accepts native alerts; returns the text of each since the start. */
  alerts(): Promise<readonly string[]>;
  countTabs(): Promise<number>;
  /** Returns the console's errors and warnings, and uncaught errors, since the start. */
  messages(): Promise<readonly string[]>;
}

/** Size of a window's content in px. */
export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

/** Opens a window with one tab; it is closed when `opened` is disposed. */
export type OpenWindow = (size: WindowSize, opened: AsyncDisposableStack) => Promise<BrowserWindow>;

/** Timeout in ms for an element to appear. */
export const elementTimeout = 20_000;
