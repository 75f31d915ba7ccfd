/** Writes to the browser's console. Never throws: extensions and in-app browsers replace or remove the console. */
export function log(level: 'log' | 'warn' | 'error', ...message: readonly unknown[]): void {
  try {
    console[level](...message);
  } catch {}
}
