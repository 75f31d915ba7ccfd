/**
 * Writes to the browser's console. Never throws, unlike the console itself, which extensions and in-app browsers replace
 * or remove: what follows a message does not depend on it.
 */
export function log(level: 'log' | 'warn' | 'error', ...message: readonly unknown[]): void {
  try {
    console[level](...message);
  } catch {
    // There is nowhere else to write to.
  }
}
