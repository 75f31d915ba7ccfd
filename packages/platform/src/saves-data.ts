/** Returns whether the visitor has enabled the browser's data saver. */
export function savesData(): boolean {
  try {
    return (navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true;
  } catch {
    // Extensions replace it to prevent fingerprinting.
    return false;
  }
}
