/**
 * Runs a step of a command, and prints its name with the time it took, or that it failed.
 *
 * @param stopped no step begins after this
 * @param run gives how many tests passed, if it runs some
 */
export async function step<Value>(
  name: string,
  stopped: AbortSignal,
  run: () => Value | Promise<Value>,
): Promise<Value> {
  stopped.throwIfAborted();
  const begun = performance.now();
  try {
    const value = await run();
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`  ✓ ${name}${typeof value === 'number' ? `: ${value} passed` : ''} (${seconds} s)`);
    return value;
  } catch (error) {
    console.log(`  ✗ ${name}`);
    throw error;
  }
}
