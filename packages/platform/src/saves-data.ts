/** The part of the Network Information API that is used here; not every browser has it. */
interface NavigatorWithConnection {
  readonly connection?: { readonly saveData?: boolean };
}

/** Returns whether the visitor has enabled the browser's data saver. */
export function savesData(): boolean {
  try {
    return (navigator as NavigatorWithConnection).connection?.saveData === true;
  } catch {
    // Extensions replace it to prevent fingerprinting.
    return false;
  }
}
