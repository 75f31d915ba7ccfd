/** The part of the Network Information API that is used here; not every browser has it. */
interface NavigatorWithConnection {
  readonly connection?: { readonly saveData?: boolean };
}

/** Returns whether the visitor has enabled the browser's data saver; `false` if an extension hides it. */
export function savesData(): boolean {
  try {
    return (navigator as NavigatorWithConnection).connection?.saveData === true;
  } catch {
    return false;
  }
}
